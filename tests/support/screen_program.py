"""gputop's screen for tests: ProgramTest's private home and fake NVML, in a Terminal."""
import program
from terminal import Terminal

# Two GPUs whose readings never change.
STILL = """gpus 2
gpu * name "NVIDIA H100 80GB HBM3"
gpu * utilization 61+10i
gpu * memory_total 80GiB
gpu * memory_used 20GiB
gpu * temperature 50+5i
gpu * power 300
gpu * power_limit 700
gpu * sm_clock 1500
"""


def moving(gpus, more=""):
    """A scenario in which every reading of every GPU changes all the time."""
    return f"""gpus {gpus}
gpu * name "NVIDIA H100 80GB HBM3"
gpu * utilization wave 20 95 7
gpu * memory_utilization wave 10 60 9
gpu * memory_total 80GiB
gpu * memory_used wave 10GiB 79GiB 31
gpu * temperature wave 40 80 23
gpu * fan wave 30 90 19
gpu * power wave 100 690 13
gpu * power_limit 700
gpu * sm_clock wave 1000 1980 11
gpu * memory_clock wave 1000 2619 17
gpu * pcie_rx wave 1000 20000000 9
gpu * pcie_tx wave 1000 20000000 8
gpu * pcie_generation 5
gpu * pcie_width 16
gpu * max_pcie_generation 5
gpu * max_pcie_width 16
gpu * performance_state 0
{more}"""


class ScreenTest(program.ProgramTest):
    def open(self, *words, scenario=STILL, size=(100, 30), answers=True, until="BUSY", cwd=None, **more):
        """gputop on a screen of this size, once it shows its first reading."""
        terminal = Terminal([program.GPUTOP, *map(str, words)], self.environment(scenario, **more), *size, answers=answers, cwd=cwd)
        self.addCleanup(terminal.close)
        if until:
            terminal.wait(until)
        return terminal

    def assert_restored(self, terminal):
        self.assertEqual(terminal.complaints(), [])

    def quit(self, terminal):
        terminal.press("q")
        self.assertEqual(terminal.wait_end(), 0)
        self.assert_restored(terminal)
