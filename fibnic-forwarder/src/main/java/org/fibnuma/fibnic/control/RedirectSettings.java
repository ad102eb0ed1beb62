package org.fibnuma.fibnic.control;

import org.agrona.concurrent.EpochClock;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.fibnic.rib.LinkTable;
import org.fibnuma.fibnic.rib.RoutingTables;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Follows the kernel's {@code send_redirects}. A port sends ICMP redirects where the setting of its interface or of
 * {@code all} is on (Linux, Documentation/networking/ip-sysctl.rst). The files are read once a second, because the
 * kernel does not notify of changes. Control thread.
 */
final class RedirectSettings
{
    /** The settings of all interfaces. */
    static final Path KERNEL = Path.of("/proc/sys/net/ipv4/conf");

    static final long INTERVAL_MS = TimeUnit.SECONDS.toMillis(1);

    private static final String ALL = "all";
    private static final String SETTING = "send_redirects";
    private static final char OFF = '0';

    private final Path directory;
    private final RoutingTables tables;
    private final EpochClock clock;
    private long nextReadMs;

    /** Reads settings below a directory that has a subdirectory for each interface. */
    RedirectSettings(final Path directory, final RoutingTables tables, final EpochClock clock)
    {
        this.directory = directory;
        this.tables = tables;
        this.clock = clock;
    }

    /** Returns 0, because reading should not keep the thread awake. */
    int poll()
    {
        final long nowMs = clock.time();
        if (nowMs >= nextReadMs)
        {
            nextReadMs = nowMs + INTERVAL_MS;
            read();
        }
        return 0;
    }

    /** Passes the current settings to the tables. */
    void read()
    {
        final LinkTable links = tables.links();
        final boolean all = isOn(ALL);
        for (int port = 0; port < links.portCount(); port++)
        {
            final KernelLink link = links.get(links.interfaceOf(port));
            tables.sendRedirects(port, all || link != null && isOn(link.name()));
        }
    }

    /** A file that cannot be read belongs to an interface that is being removed. */
    private boolean isOn(final String name)
    {
        try
        {
            final byte[] value = Files.readAllBytes(directory.resolve(name).resolve(SETTING));
            return value.length > 0 && value[0] != OFF;
        }
        catch (final IOException ignore)
        {
            return false;
        }
    }
}
