package org.fibnuma.core.config;

import org.fibnuma.core.port.PortSettings;

/** Reads the keys about rings and polling, which all programs share. */
public final class PortSettingsReader
{
    private static final int MIN_RING_SIZE = 64;
    private static final int MAX_RING_SIZE = 1 << 15;
    private static final int MAX_BUSY_POLL_MICROS = 10_000;
    private static final int MAX_BUSY_POLL_BUDGET = 1024;

    private PortSettingsReader()
    {
    }

    /**
     * Reads the settings from the program's own table, with {@link PortSettings#DEFAULT} for missing or wrong values.
     */
    public static PortSettings read(final TomlSection section)
    {
        final PortSettings defaults = PortSettings.DEFAULT;
        return new PortSettings(
            section.powerOfTwo("rx-ring-size", MIN_RING_SIZE, MAX_RING_SIZE, defaults.rxRingSize()),
            section.powerOfTwo("tx-ring-size", MIN_RING_SIZE, MAX_RING_SIZE, defaults.txRingSize()),
            section.integer("busy-poll-us", 0, MAX_BUSY_POLL_MICROS, defaults.busyPollMicros()),
            section.integer("busy-poll-budget", 1, MAX_BUSY_POLL_BUDGET, defaults.busyPollBudget()),
            section.bool("zero-copy", defaults.allowZeroCopy()));
    }
}
