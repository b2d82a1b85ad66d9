"""Workers of a Ray cluster that was there before the script: they are children of its raylet, not of the script, so the
environment that leads to the lens has to be named in the job's runtime_env. (Workers of a cluster that ray.init() starts itself
inherit it.) Where this machine's folders are not to be seen, the workers run as if nothing had been named.
"""
import functools
import os

from . import patches
from .lens import fault

_HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_CURRENT = "/tmp/ray/ray_current_cluster"  # where `ray start --head` leaves its address
_PASSED = ("GPUTOP_RUN", "GPUTOP_LENS", "GPUTOP_LENS_SOCKET", "GPUTOP_LENS_FLUSH", "GPUTOP_LENS_PROBE", "GPUTOP_LENS_SET")


def install(ray):
    original = ray.init

    @functools.wraps(original)
    def init(*args, **kwargs):
        try:
            if _joins(args, kwargs):
                kwargs = dict(kwargs, runtime_env=with_lens(kwargs.get("runtime_env")))
        except Exception:
            fault()
        return original(*args, **kwargs)

    patches.replace(ray, "init", init)


def _joins(args, kwargs):
    """Whether it joins a cluster; and nothing else describes the job's environment already."""
    if kwargs.get("job_config") is not None or os.environ.get("RAY_JOB_CONFIG_JSON_ENV_VAR"):
        return False
    address = args[0] if args else kwargs.get("address")
    if address == "local":
        return False
    return bool(address or os.environ.get("RAY_ADDRESS") or os.path.exists(_CURRENT))


def with_lens(runtime_env):
    named = dict(runtime_env or {})
    variables = dict(named.get("env_vars") or {})
    # Ray replaces ${PYTHONPATH} by what its workers have.
    variables["PYTHONPATH"] = os.pathsep.join([os.path.join(_HERE, "inject"), variables.get("PYTHONPATH", "${PYTHONPATH}")])
    for name in _PASSED:
        if name in os.environ:
            variables.setdefault(name, os.environ[name])
    named["env_vars"] = variables
    return type(runtime_env)(**named) if runtime_env is not None and type(runtime_env) is not dict else named
