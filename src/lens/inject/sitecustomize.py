# The way in of gputop's lens: `gputop -- CMD` puts the folder of this file, and nothing else, in front of PYTHONPATH.
# It takes that folder off sys.path again, plants one import hook that wakes when torch is imported, and runs the
# sitecustomize that would have run without it. GPUTOP_LENS=0 switches the lens off.
# Any Python may come by here, also 2.7: nothing below may be newer, and nothing heavy is imported.
import os as _os
import sys as _sys


def _plant():
    here = _os.path.dirname(_os.path.abspath(__file__))
    _sys.path[:] = [entry for entry in _sys.path if entry != here]
    if _sys.version_info < (3, 7) or _os.environ.get("GPUTOP_LENS") == "0":
        return
    if not (_os.environ.get("GPUTOP_LENS_SOCKET") or _os.environ.get("GPUTOP_REHEARSAL")) or "_gputop_lens" in _sys.modules:
        return
    package = _os.path.join(_os.path.dirname(here), "_gputop_lens")
    wanted = {"torch", "torch.utils.checkpoint", "torch._dynamo.callback", "torch.distributed.checkpoint.state_dict_saver",
              "safetensors.torch", "transformers.training_args", "transformers.trainer", "accelerate.accelerator",
              "bitsandbytes.nn.modules", "lightning.pytorch.trainer.trainer", "pytorch_lightning.trainer.trainer", "ultralytics.engine.trainer", "ray"}

    def lens():
        """The package, which is not on sys.path; its folder is private and short-lived, so no bytecode is left there."""
        module = _sys.modules.get("_gputop_lens")
        if module is None:
            from importlib.util import module_from_spec, spec_from_file_location
            spec = spec_from_file_location("_gputop_lens", _os.path.join(package, "__init__.py"),
                                           submodule_search_locations=[package])
            module = module_from_spec(spec)
            _sys.modules["_gputop_lens"] = module
            before = _sys.dont_write_bytecode
            _sys.dont_write_bytecode = True
            try:
                spec.loader.exec_module(module)
            finally:
                _sys.dont_write_bytecode = before
        return module

    def tell_lens(spec, name):
        """Lets the lens have the module once it has been executed; the loader is left as it was found."""
        loader = spec.loader
        execute = loader.exec_module

        def exec_module(module):
            try:
                del loader.exec_module
            except AttributeError:
                pass
            wanted.discard(name)
            if not wanted and GputopFinder in _sys.meta_path:
                _sys.meta_path.remove(GputopFinder)
            execute(module)
            try:
                lens().on_import(name, module)
            except Exception:
                pass
        loader.exec_module = exec_module

    class GputopFinder(object):
        @staticmethod
        def find_spec(name, path=None, target=None):
            if name not in wanted:
                return None     # a module that is only looked for (importlib.util.find_spec) stays wanted until it is run
            for finder in list(_sys.meta_path):
                find = None if finder is GputopFinder else getattr(finder, "find_spec", None)
                spec = find(name, path, target) if find else None
                if spec is not None:
                    try:
                        tell_lens(spec, name)
                    except Exception:
                        pass
                    return spec
            return None

    _sys.meta_path.insert(0, GputopFinder)
    if _os.environ.get("GPUTOP_REHEARSAL"):
        from importlib import import_module
        lens()
        import_module("_gputop_lens.rehearsal").before_all()


def _run_the_one_behind():
    mine = _sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # noqa: F401
    except ImportError as error:
        if getattr(error, "name", "sitecustomize") != "sitecustomize":
            raise
    finally:
        if "sitecustomize" not in _sys.modules and mine is not None:
            _sys.modules["sitecustomize"] = mine


try:
    _plant()
except Exception:
    pass
_run_the_one_behind()  # what it raises is the user's own, and `site` reports it as always
