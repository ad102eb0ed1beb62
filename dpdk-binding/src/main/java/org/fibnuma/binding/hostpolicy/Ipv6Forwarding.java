package org.fibnuma.binding.hostpolicy;

import org.fibnuma.core.UserException;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Detects whether the kernel forwards the IPv6 packets that an interface receives (ip6_forward in
 * net/ipv6/ip6_output.c, ip6_rcv_core in ip6_input.c, Linux 6.18). {@code net.ipv6.conf.all.forwarding} decides for all
 * interfaces, and {@code force_forwarding}, in Linux 6.17 and later, for one. {@code net.ipv6.conf.IF.forwarding} does
 * not decide: it makes the interface a router or a host in neighbour discovery. No message of rtnetlink has
 * {@code force_forwarding} or reports a change of {@code disable_ipv6}, so the files are read. Linux has no rp_filter
 * for IPv6. One thread, in the network namespace of the files.
 */
final class Ipv6Forwarding
{
    /** The settings of all interfaces. */
    static final Path KERNEL = Path.of("/proc/sys/net/ipv6/conf");

    private static final String ALL = "all";
    private static final String FORWARDING = "forwarding";
    private static final String FORCE_FORWARDING = "force_forwarding";
    private static final String DISABLE = "disable_ipv6";

    private final Path settings;

    /** Uses the files below a directory, {@link #KERNEL} or that of a test. */
    Ipv6Forwarding(final Path settings)
    {
        this.settings = settings;
    }

    /**
     * Returns whether the kernel forwards packets that an interface receives. It does not without IPv6 in the kernel or
     * on the interface, as with an MTU below 1280 bytes.
     *
     * @throws UserException if a file cannot be read.
     */
    boolean isOn(final String interfaceName)
    {
        return isZero(interfaceName, DISABLE) && (isSet(ALL, FORWARDING) || isSet(interfaceName, FORCE_FORWARDING));
    }

    private boolean isZero(final String interfaceName, final String setting)
    {
        return "0".equals(read(interfaceName, setting));
    }

    private boolean isSet(final String interfaceName, final String setting)
    {
        final String value = read(interfaceName, setting);
        return !value.isEmpty() && !"0".equals(value);
    }

    /** Returns an empty text if the kernel does not have the setting or the interface. */
    private String read(final String interfaceName, final String setting)
    {
        final Path file = settings.resolve(interfaceName).resolve(setting);
        try
        {
            return Files.readString(file).trim();
        }
        catch (final IOException ex)
        {
            if (Files.notExists(file))
            {
                return "";
            }
            throw new UserException("cannot read " + file + ": " +
                (ex instanceof AccessDeniedException ? "permission denied" : ex.getMessage()) +
                "; therefore it is unknown whether the host forwards IPv6", ex);
        }
    }
}
