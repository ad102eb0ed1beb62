package org.fibnuma.binding.hostpolicy;

import org.fibnuma.core.UserException;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Whether the kernel forwards the IPv6 packets that an interface receives (ip6_forward in net/ipv6/ip6_output.c,
 * ip6_rcv_core in ip6_input.c, Linux 6.18). Unlike {@code net.ipv4.conf.IF.forwarding},
 * {@code net.ipv6.conf.IF.forwarding} does not decide: it selects whether the interface is a router or a host in
 * neighbour discovery. {@code net.ipv6.conf.all.forwarding} decides for all interfaces, and {@code force_forwarding},
 * in Linux 6.17 and later, for one. No message of rtnetlink has the value of {@code force_forwarding}, and none is sent
 * when {@code disable_ipv6} changes, so the files are read. Linux has no rp_filter for IPv6. One thread, in whose
 * network namespace the files are.
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

    /** Reads the files below a directory, in {@link #KERNEL} those of the kernel. */
    Ipv6Forwarding(final Path settings)
    {
        this.settings = settings;
    }

    /**
     * Returns whether the kernel forwards what an interface receives. It does not where the interface is without IPv6,
     * as with an MTU below 1280, or where the kernel is.
     *
     * @param interfaceName of the receiving interface.
     * @throws UserException where a file cannot be read.
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

    /** Returns an empty text where the kernel does not have the setting or the interface. */
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
