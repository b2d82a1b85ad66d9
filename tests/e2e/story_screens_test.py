"""The stories of real teams (S1–S5) from a recording of their run to JSON and to the advisor on a real screen, with their numbers."""
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from screen_program import ScreenTest  # noqa: E402
from story import Story  # noqa: E402

SIZES = ((200, 50), (80, 24))


class StoryTest(ScreenTest):
    def record(self, story):
        path = self.folder / "run.gputop"
        path.unlink(missing_ok=True)
        return story.write(path)

    def advice(self, path):
        done = self.run_gputop("advise", path, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        answer = json.loads(done.stdout)
        self.assertEqual(answer["schema"], "gputop.advice/1")
        return answer

    def finding(self, path, name):
        found = [item for item in self.advice(path)["advice"] if item["id"] == name]
        self.assertEqual(len(found), 1, [item["id"] for item in self.advice(path)["advice"]])
        return found[0]

    def changes(self, finding):
        return {change["knob"]: (change["from"], change["to"]) for change in finding["changes"]}

    def screens(self, path, *wanted, why=()):
        """Plays the recording on screens of both sizes: each text appears, at the end, and on the page behind `w`."""
        for size in SIZES:
            with self.subTest(size=size):
                terminal = self.open("replay", path, "--speed", "60", size=size, scenario=None, until=None)
                for text in wanted:
                    terminal.wait(text, seconds=30)
                if why:
                    terminal.press("w")
                    terminal.wait("Why")
                    terminal.wait("Esc close")  # the last line: the page is there as a whole
                    for word in why:  # in the order of the page, which is longer than a small screen
                        terminal.press_until("\x1b[6~", lambda: word in terminal.text(), word)
                terminal.close()


class Story1(StoryTest):
    """RTX 3090, 2.7 of 24 GB at batch 8: 32 first, about 6 GB, and the learning rate's rule."""

    def story(self, **more):
        return Story("NVIDIA GeForce RTX 3090", 24, [8, 6], **{**dict(used=2.7, utilization=22, step=0.05, batch=8, wait=1, parameters=4_200_000,
                     parts={"parameters": 0.5, "optimizer": 0.5, "activations": 1.5}), **more})

    def test_8_becomes_32_with_its_memory_and_learning_rate(self):
        path = self.record(self.story())
        answer = self.advice(path)
        self.assertEqual(answer["bottleneck"], "host")
        first = answer["advice"][0]
        self.assertEqual(first["id"], "small_batch")
        self.assertEqual(self.changes(first), {"batch_size": (8, 32), "learning_rate": (0.001, 0.002)})
        self.assertRegex(first["why"], r"needs about 6\.\d GiB, at most 8\.\d GiB")
        self.assertIn("11 % of its memory", first["why"])
        text = self.run_gputop("advise", path).stdout
        self.assertIn("Memory: parameters 512 MiB, optimizer 512 MiB, activations 1.5 GiB, the rest 205 MiB; 2.7 GiB of 24.0 GiB (11 %)", text)
        self.screens(path, "batch_size 8 → 32", "0.001 → 0.002", why=("waits for Python", "What would change the verdict", "parameters 512 MiB"))

    def test_linear_for_sgd(self):
        first = self.advice(self.record(self.story(optimizer="torch.optim.sgd.SGD")))["advice"][0]
        self.assertEqual(self.changes(first)["learning_rate"], (0.001, 0.004))

    def test_never_more_than_fourfold_a_hop(self):
        first = self.advice(self.record(self.story(utilization=5, used=1)))["advice"][0]
        self.assertEqual(self.changes(first)["batch_size"], (8, 32))

    def test_out_of_memory_at_32_goes_to_24_16_12_then_checkpointing_then_precision(self):
        message = ("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.69 GiB of which "
                   "1.02 GiB is free. Including non-PyTorch memory, this process has 22.64 GiB memory in use. Of the allocated memory "
                   "22.10 GiB is allocated by PyTorch, and 96.00 MiB is reserved by PyTorch but unallocated.\r\n")
        path = self.record(self.story(batch=32, used=22.6, ends=(message, {"exit_code": 1, "text": "exited with code 1"})))
        answer = self.advice(path)
        self.assertEqual(answer["end"]["kind"], "gpu_oom")
        first = answer["advice"][0]
        self.assertEqual((first["id"], first["severity"]), ("gpu_oom", "error"))
        self.assertEqual(self.changes(first), {"batch_size": (32, 24)})
        self.assertIn("then 16, 12, then gradient checkpointing, then mixed precision", self.run_gputop("advise", path).stdout)
        self.screens(path, "Out of GPU memory", "batch_size 32 → 24")


class Story2(StoryTest):
    """24 GB, batch 4 × 16, 4.2 GB: a larger batch for less accumulation, by what the parts are."""

    def test_the_batch_grows_and_accumulation_shrinks(self):
        path = self.record(Story("Quadro RTX 6000", 24, [7, 5], used=4.2, utilization=31, step=0.1, batch=4, accumulation=16,
                                 precision="amp-bf16", optimizer="torch.optim.adamw.AdamW",
                                 parts={"parameters": 0.2, "gradients": 0.2, "optimizer": 0.8, "activations": 1.5}))
        first = self.advice(path)["advice"][0]
        self.assertEqual(self.changes(first), {"batch_size": (4, 16), "accumulation": (16, 4)})
        self.assertIn("4.2 GiB of 24.0 GiB (17 %)", self.run_gputop("advise", path).stdout)
        self.screens(path, "batch_size 4 → 16", "accumulation 16 → 4", why=("the effective batch stays 64", "parameters 205 MiB"))


class Story3(StoryTest):
    """Utilisation 50–60 %: the four causes told apart, and the options of a GPU that computes in fp32."""

    def story(self, **more):
        return Story("NVIDIA GeForce RTX 3090", 24, [8, 6], **{**dict(used=9, utilization=lambda second: 50 + second % 11, step=0.4, batch=48,
                                                                      cores=16, parts={"parameters": 0.5, "activations": 6}), **more})

    def test_a_loader_out_of_cpu_gets_more_workers(self):
        story = self.story(wait=40, workers=2)
        story.workers = {"cpu": 98, "state": "R"}
        path = self.record(story)
        answer = self.advice(path)
        self.assertEqual((answer["bottleneck"], answer["advice"][0]["id"]), ("input_wait", "input_cpu_bound"))
        before, after = self.changes(answer["advice"][0])["workers"]
        self.assertGreater(after, before)
        self.assertIn("✗ 55 % busy (good: 90–100)", self.run_gputop("advise", path).stdout)
        self.screens(path, "The GPU waits for data", f"workers 2 → {after}")

    def test_a_small_batch_gets_larger(self):
        path = self.record(self.story(wait=1, workers=4))
        answer = self.advice(path)
        self.assertEqual((answer["bottleneck"], answer["advice"][0]["id"]), ("host", "small_batch"))
        self.assertIn("batch_size", self.changes(answer["advice"][0]))
        self.screens(path, "The batch is too small for the GPU", "batch_size 48 →")

    def test_a_full_disk_gets_a_cache_and_no_workers(self):
        story = self.story(wait=40, workers=4, disk_busy=98, io_wait=35)
        story.workers = {"cpu": 6, "state": "D"}
        path = self.record(story)
        first = self.advice(path)["advice"][0]
        self.assertEqual((first["id"], first["changes"]), ("input_disk_bound", []))
        text = self.run_gputop("advise", path).stdout
        self.assertIn("more workers won't help: the disk is 98 % busy", text)
        self.assertIn("RAM disk", text)
        self.screens(path, "The GPU waits for the disk", "more workers won't help", why=("RAM disk", "not workers"))

    def test_a_host_frozen_by_workers_gets_fewer_of_them_and_of_threads(self):
        story = self.story(wait=20, workers=16, cores=8, threads=8, cpu=100, cpu_pressure=85)
        story.workers = {"cpu": 45, "state": "R"}
        path = self.record(story)
        first = self.advice(path)["advice"][0]
        self.assertEqual(first["id"], "host_oversubscribed")
        changes = self.changes(first)
        self.assertLess(changes["workers"][1], 9)
        self.assertLess(changes["OMP_NUM_THREADS"][1], 8)
        self.screens(path, "compete for the cores", "workers 16 → ", "OMP_NUM_THREADS 8 → ")

    def test_computing_in_fp32_has_ranked_options_with_ranges(self):
        path = self.record(self.story(utilization=97, wait=1, workers=8, convolutions=True, used=20))
        answer = self.advice(path)
        self.assertEqual(answer["bottleneck"], "gpu_compute")
        self.assertEqual([item["id"] for item in answer["advice"]], ["precision_amp", "precision_tf32", "compile", "channels_last"])
        gains = [sum(item["expected_speedup"]) / 2 for item in answer["advice"]]
        self.assertEqual(gains, sorted(gains, reverse=True))
        for item in answer["advice"]:
            self.assertLess(item["expected_speedup"][0], item["expected_speedup"][1])
        self.screens(path, "The GPU is the limit: 97 % busy", "precision fp32 → amp-bf16")
        terminal = self.open("replay", path, "--speed", "60", size=(200, 50), scenario=None, until=None)
        for text in ("tf32 false → true", "compile false → true", "channels_last false → true", "✓ 97 % busy", "✓ steady speed"):
            terminal.wait(text, seconds=30)

    def test_what_is_well_set_is_told_so(self):
        path = self.record(self.story(utilization=96, wait=1, workers=8, precision="amp-bf16", used=20))
        answer = self.advice(path)
        self.assertEqual([item["id"] for item in answer["advice"]], ["healthy"])
        self.screens(path, "Nothing to change: 96 % busy, waits for data 1 %")


class Story4(StoryTest):
    """RTX 4050, 559,738 parameters at batch 32: a sensor error, nearly all memory free, and which of the two causes it is."""

    def test_it_is_the_batch_and_590_watts_are_none(self):
        busy = [0, 20] + [12] * 38 + [11] * 50
        path = self.record(Story("NVIDIA GeForce RTX 4050 Laptop GPU", 6141 / 1024, [8, 9], used=167 / 1024,
                                 utilization=lambda second: busy[second * 7 % 90], power_limit=115, batch=32, step=0.01, wait=2,
                                 parameters=559_738, watts=lambda second: 590 if second == 41 else 20.5 + second % 2))
        answer = self.advice(path)
        first = answer["advice"][0]
        self.assertEqual((answer["bottleneck"], first["id"]), ("host", "small_batch"))
        self.assertEqual(self.changes(first)["batch_size"], (32, 128))
        self.assertIn("590 W", first["why"])
        self.assertIn("sensor error", first["why"])
        self.assertEqual({item["metric"]: item["value"] for item in first["evidence"]}["gpu_utilization"], 11.4)
        self.assertIn("97.3 %", self.finding(path, "low_memory")["why"])
        self.screens(path, "batch_size 32 → 128", why=("590",))


class Story5(StoryTest):
    """RTX 3070 at 7.0 of 8 GB, 32 × 3: 48 × 2 because it was measured, fewer workers, TF32, and what to try after that."""

    def story(self, **more):
        return Story("NVIDIA GeForce RTX 3070", 8, [8, 6], **{**dict(used=7.0, utilization=85, step=0.5, batch=32, accumulation=3, workers=6,
                     prefetch=4, wait=1, optimizer="torch.optim.adamw.AdamW", lr=5e-5, parameters=135_000_000,
                     parts={"parameters": 1.5, "activations": 5.0}), **more})

    def test_48_times_2_where_48_was_measured(self):
        path = self.record(self.story(earlier=[{"batch": 48, "workers": 6, "precision": "fp32", "peak_memory": int(7.8 * (1 << 30))}]))
        first = self.advice(path)["advice"][0]
        self.assertEqual(self.changes(first), {"batch_size": (32, 48), "accumulation": (3, 2)})
        self.assertIn("about 7.8 GiB of 8.0 GiB (measured at 2 batch sizes; scaled from one point it would be 9.75 GiB)", first["why"])
        text = self.run_gputop("advise", path).stdout
        self.assertIn("the effective batch stays 96, the learning rate as it is", text)
        self.assertIn("next: if it runs out of memory 40 × 2, then gradient checkpointing", text)
        workers = self.finding(path, "too_many_workers")
        self.assertEqual(self.changes(workers), {"workers": (6, 4), "prefetch": (4, 2)})
        self.assertEqual(self.changes(self.finding(path, "precision_tf32")), {"tf32": (False, True)})
        self.screens(path, "batch_size 32 → 48", "accumulation 3 → 2", why=("9.75", "40 × 2, then gradient checkpointing"))

    def test_not_where_only_32_is_known(self):
        first = self.advice(self.record(self.story()))["advice"][0]
        self.assertEqual(first["id"], "small_batch")
        self.assertEqual(first["changes"], [])
        self.assertIn("may not fit", first["why"])

    def test_no_tf32_before_ampere(self):
        story = self.story()
        story.capability = [7, 5]
        self.assertNotIn("precision_tf32", [item["id"] for item in self.advice(self.record(story))["advice"]])


if __name__ == "__main__":
    unittest.main()
