package org.fibnuma.binding.conntrack;

import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.IpProtocol;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Timeouts in seconds of established connections. The kernel does not report the timeout of an entry in a flowtable.
 * When the flowtable has had no packet of the connection for its own timeout, it removes the connection, and limits
 * the timeout of the entry to that of the protocol minus its own (flow_offload_fixup_ct,
 * net/netfilter/nf_flow_table_core.c, Linux 6.18).
 *
 * @param tcp          of established connections of TCP.
 * @param udp          of UDP with packets in both directions.
 * @param tcpFlowtable of TCP in a flowtable.
 * @param udpFlowtable of UDP in a flowtable.
 */
public record ConntrackTimeouts(int tcp, int udp, int tcpFlowtable, int udpFlowtable)
{
    /** Timeout of an entry while it is in a flowtable (NF_CT_DAY, net/netfilter/nf_conntrack.h, Linux 6.18). */
    public static final int OFFLOADED = 86_400;

    /** The settings of connection tracking in the network namespace of the thread. */
    static final Path KERNEL = Path.of("/proc/sys/net/netfilter");

    /**
     * Reads the settings of the network namespace of the calling thread, in which connection tracking is in use.
     *
     * @throws UserException if they cannot be read.
     */
    public static ConntrackTimeouts read()
    {
        return read(KERNEL);
    }

    static ConntrackTimeouts read(final Path settings)
    {
        return new ConntrackTimeouts(
            seconds(settings.resolve("nf_conntrack_tcp_timeout_established")),
            seconds(settings.resolve("nf_conntrack_udp_timeout_stream")),
            seconds(settings.resolve("nf_flowtable_tcp_timeout")),
            seconds(settings.resolve("nf_flowtable_udp_timeout")));
    }

    /** Returns 0 without the file, which kernels without flowtables do not have. */
    private static int seconds(final Path file)
    {
        if (Files.notExists(file))
        {
            return 0;
        }
        // The kernel gives the value to the first read only.
        try (BufferedReader reader = Files.newBufferedReader(file))
        {
            return Integer.parseInt(reader.readLine());
        }
        catch (final IOException | NumberFormatException ex)
        {
            throw new UserException("cannot read " + file + ": " + ex.getMessage(), ex);
        }
    }

    /** Returns the timeout of established connections of TCP or UDP. */
    public int established(final int protocol)
    {
        return protocol == IpProtocol.TCP ? tcp : udp;
    }

    /** Returns the time without packets after which a flowtable removes connections of TCP or UDP. */
    public int flowtable(final int protocol)
    {
        return protocol == IpProtocol.TCP ? tcpFlowtable : udpFlowtable;
    }
}
