"""No two files define a type of one name: the linker would take either for both (one definition rule), and nothing would say so."""
import collections
import os
import pathlib
import re
import unittest

SOURCE = pathlib.Path(os.environ.get("GPUTOP_SOURCE", pathlib.Path(__file__).parents[2]))


def definitions(text):
    """Types that are defined at the level of a namespace, outside of anonymous ones: their full names."""
    found, spaces = [], []
    for line in text.split("\n"):
        if opened := re.match(r"namespace ([\w:]*) ?\{", line):
            spaces.append(opened.group(1))
        elif re.match(r"\}  // namespace", line) and spaces:
            spaces.pop()
        elif (named := re.match(r"(?:struct|class|enum class) (\w+(?:::\w+)*)[^;]*\{", line)) and "" not in spaces:
            found.append("::".join([*spaces, named.group(1)]))
    return found


def repeated(root):
    files = collections.defaultdict(set)
    for path in [*root.glob("include/**/*.hpp"), *root.glob("src/**/*.[ch]pp")]:
        for name in definitions(path.read_text()):
            files[name].add(str(path.relative_to(root)))
    return {name: sorted(paths) for name, paths in files.items() if len(paths) > 1}


class Names(unittest.TestCase):
    def test_each_type_is_defined_in_one_file(self):
        self.assertEqual({}, repeated(SOURCE))

    def test_a_second_definition_is_found(self):
        text = "namespace gputop {\nstruct A {\n};\nnamespace {\nstruct B {\n};\n}  // namespace\nclass C : public D {\nstruct E;\n}  // namespace gputop\n"
        self.assertEqual(["gputop::A", "gputop::C"], definitions(text))


if __name__ == "__main__":
    unittest.main()
