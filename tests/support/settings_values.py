"""A settings file as a flat map from key to value, read by Python's own parsers: for comparing a file before and after an edit."""
import ast
import json
import re
import shlex
import tomllib

import yaml


class AnyTag(yaml.SafeLoader):
    """PyYAML's rules for numbers and words; a tag it does not know keeps its text."""


def _tagged(loader, suffix, node):
    if isinstance(node, yaml.ScalarNode):
        return f"!{suffix} {node.value}"
    return loader.construct_mapping(node, deep=True) if isinstance(node, yaml.MappingNode) else loader.construct_sequence(node, deep=True)


AnyTag.add_multi_constructor("!", _tagged)


def flat(value, path=""):
    if isinstance(value, dict):
        return {k: v for key, item in value.items() for k, v in flat(item, f"{path}.{key}" if path else str(key)).items()}
    if isinstance(value, list):
        return {k: v for i, item in enumerate(value) for k, v in flat(item, f"{path}[{i}]").items()}
    return {path: value}


def _dotted(node):
    if isinstance(node, ast.Name):
        return node.id
    return f"{_dotted(node.value)}.{node.attr}" if isinstance(node, ast.Attribute) else ""


def _literal(node):
    """A literal's value; dict(…) counts as one; otherwise the source text after an "=", which is no value."""
    if isinstance(node, ast.Call) and _dotted(node.func) == "dict":
        return {keyword.arg: _literal(keyword.value) for keyword in node.keywords}
    if isinstance(node, ast.Dict):
        return {getattr(key, "value", "?"): _literal(value) for key, value in zip(node.keys, node.values, strict=True)}
    try:
        return ast.literal_eval(node)
    except ValueError:
        return "= " + ast.unparse(node)


def python_values(text):
    """Assignments by their target, fields of classes, and the keyword arguments of calls as CALL.argument (the second of a kind: CALL#2)."""
    found, calls = {}, {}
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and (target := _dotted(node.targets[0])):
            found |= {key: value for key, value in flat(_literal(node.value), target).items() if not str(value).startswith("= ")}
        elif isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{item.target.id}": _literal(item.value) for item in node.body if isinstance(item, ast.AnnAssign) and item.value}
        elif isinstance(node, ast.Call) and (name := _dotted(node.func).rsplit(".", 1)[-1]) not in ("", "dict", "add_argument"):
            calls[name] = calls.get(name, 0) + 1
            label = name if calls[name] == 1 else f"{name}#{calls[name]}"
            found |= {f"{label}.{keyword.arg}": _literal(keyword.value) for keyword in node.keywords if keyword.arg}
    return found


def shell_values(text):
    words = shlex.split(text, comments=True)
    found = {}
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if assigned := re.fullmatch(r"(\w+)=(.*)", word, re.S):
            found[assigned[1]] = assigned[2]
        elif word.startswith("--"):
            name, equals, value = word.partition("=")
            found[name] = value if equals else "" if following.startswith("-") else following
    return found


def values(path):
    text = path.read_bytes().decode("utf-8-sig")
    match path.suffix:
        case ".json":
            return flat(json.loads(text))
        case ".json5":  # without its comments it is YAML
            return flat(yaml.load(re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S), AnyTag))
        case ".toml":
            return flat(tomllib.loads(text))
        case ".py":
            return python_values(text)
        case ".sh":
            return shell_values(text)
        case ".yaml" | ".yml":
            return flat(yaml.load(text, AnyTag))
    return {"text": text}
