package org.fibnuma.core.service.config;

import org.fibnuma.core.port.PortSettings;

/** The keys for rings and polling, which the tables of all programs include, and their reader. */
public final class PortSettingsReader
{
    private static final int MIN_RING_SIZE = 64;
    private static final int MAX_RING_SIZE = 1 << 15;
    private static final int MAX_BUSY_POLL_MICROS = 10_000;
    private static final int MAX_BUSY_POLL_BUDGET = 1024;

    /** The keys, for the table of a program. */
    public static final ConfigTable KEYS = new ConfigTable();

    public static final ConfigKey<Integer> RX_RING_SIZE = KEYS.powerOfTwo(
        "rx-ring-size", MIN_RING_SIZE, MAX_RING_SIZE, PortSettings.DEFAULT.rxRingSize())
        .restart("Descriptors of each receive ring of a port.");
    public static final ConfigKey<Integer> TX_RING_SIZE = KEYS.powerOfTwo(
        "tx-ring-size", MIN_RING_SIZE, MAX_RING_SIZE, PortSettings.DEFAULT.txRingSize())
        .restart("Descriptors of each transmit ring of a port.");
    public static final ConfigKey<Integer> BUSY_POLL_US = KEYS.integer(
        "busy-poll-us", 0, MAX_BUSY_POLL_MICROS, PortSettings.DEFAULT.busyPollMicros())
        .restart("Microseconds for which the thread of an `xdp:` port polls its driver. With 0 it uses interrupts.");
    public static final ConfigKey<Integer> BUSY_POLL_BUDGET = KEYS.integer(
        "busy-poll-budget", 1, MAX_BUSY_POLL_BUDGET, PortSettings.DEFAULT.busyPollBudget())
        .restart("Largest number of frames of one busy poll.");
    public static final ConfigKey<Boolean> ZERO_COPY = KEYS.bool("zero-copy", PortSettings.DEFAULT.allowZeroCopy())
        .restart("Whether zero-copy is tried on an `xdp:` port. `fibnuma show ports` prints the mode in use.");

    private PortSettingsReader()
    {
    }

    /** Reads the settings from the program's own table, which includes {@link #KEYS}. */
    public static PortSettings read(final TomlSection section)
    {
        return new PortSettings(section.get(RX_RING_SIZE), section.get(TX_RING_SIZE), section.get(BUSY_POLL_US),
            section.get(BUSY_POLL_BUDGET), section.get(ZERO_COPY));
    }
}
