// What a test can do to the fake library besides its scenario file: functions it exports under names of their own.
#pragma once

extern "C" {
// A scenario as text, instead of the file. nullptr, or what is wrong with it (valid until the next call).
using FakeNvmlLoad = const char*(const char* text);
// Stops the scenario's clock and sets it; hangs end and events come when it passes their moment.
using FakeNvmlSetTime = void(double seconds);
// How often functions matching a pattern were called; all for nullptr.
using FakeNvmlCalls = unsigned long long(const char* pattern);
// Calls with the handle of a lost GPU, beyond the one that was told so.
using FakeNvmlDeadUses = unsigned long long();
}
