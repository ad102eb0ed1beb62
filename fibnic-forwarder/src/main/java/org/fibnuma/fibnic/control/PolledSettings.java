package org.fibnuma.fibnic.control;

import org.agrona.concurrent.EpochClock;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Settings of the kernel below {@code /proc/sys} that are read once a second, because the kernel does not notify of
 * changes. Control thread.
 */
abstract class PolledSettings
{
    static final long INTERVAL_MS = TimeUnit.SECONDS.toMillis(1);
    /** More than any of the settings has, in bytes. */
    private static final int MAX_LENGTH = 1024;

    private final Path directory;
    private final EpochClock clock;
    private long nextReadMs;

    PolledSettings(final Path directory, final EpochClock clock)
    {
        this.directory = directory;
        this.clock = clock;
    }

    /** Reads the settings if they are due. Returns 0, because reading should not keep the thread awake. */
    final int poll()
    {
        final long nowMs = clock.time();
        if (nowMs >= nextReadMs)
        {
            nextReadMs = nowMs + INTERVAL_MS;
            read();
        }
        return 0;
    }

    /** Passes on the current settings. */
    abstract void read();

    /** Returns the file of a setting without its line end, or {@code absent} if it cannot be read. */
    final String textOf(final String directoryName, final String setting, final String absent)
    {
        try (InputStream file = Files.newInputStream(directory.resolve(directoryName).resolve(setting)))
        {
            // The kernel gives the whole value to the first read only, cut to its length.
            final byte[] value = new byte[MAX_LENGTH];
            return new String(value, 0, Math.max(0, file.read(value)), StandardCharsets.US_ASCII).strip();
        }
        catch (final IOException ignore)
        {
            return absent;
        }
    }

    /** Returns the number in the file of a setting, or {@code absent} if there is none or the file cannot be read. */
    final int numberOf(final String directoryName, final String setting, final int absent)
    {
        try
        {
            return Integer.parseInt(textOf(directoryName, setting, Integer.toString(absent)));
        }
        catch (final NumberFormatException ignore)
        {
            return absent;
        }
    }
}
