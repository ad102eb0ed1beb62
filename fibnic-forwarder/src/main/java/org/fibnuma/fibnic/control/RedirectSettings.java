package org.fibnuma.fibnic.control;

import org.agrona.concurrent.EpochClock;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.fibnic.rib.LinkTable;
import org.fibnuma.fibnic.rib.RoutingTables;

import java.nio.file.Path;

/**
 * Follows the kernel's {@code send_redirects}. An interface of the router sends ICMP redirects if the setting of this
 * interface or of {@code all} is on (Linux, Documentation/networking/ip-sysctl.rst). Control thread.
 */
final class RedirectSettings extends PolledSettings
{
    /** The settings of all interfaces. */
    static final Path KERNEL = Path.of("/proc/sys/net/ipv4/conf");

    private static final String ALL = "all";
    private static final String SETTING = "send_redirects";
    private static final char OFF = '0';

    private final RoutingTables tables;

    /** Reads settings below a directory that has a subdirectory for each interface. */
    RedirectSettings(final Path directory, final RoutingTables tables, final EpochClock clock)
    {
        super(directory, clock);
        this.tables = tables;
    }

    @Override
    void read()
    {
        final LinkTable links = tables.links();
        final boolean all = isOn(ALL);
        for (int port = 0; port < links.portCount(); port++)
        {
            final KernelLink link = links.get(links.interfaceOf(port));
            tables.sendRedirects(port, all || link != null && isOn(link.name()));
        }
        for (final int vlan : links.vlans().interfaces())
        {
            tables.sendRedirects(links.numberOf(vlan), all || isOn(links.get(vlan).name()));
        }
    }

    /** A setting that cannot be read belongs to an interface that is being removed. */
    private boolean isOn(final String name)
    {
        return valueOf(name, SETTING, OFF) != OFF;
    }
}
