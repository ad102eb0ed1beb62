package org.fibnuma.binding.dpdk;

import org.fibnuma.core.service.host.HostChanges;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Restores changes of a driver to its kernel interface: af_packet and af_xdp set IFF_PROMISC and the MTU
 * (rte_eth_af_packet.c, rte_eth_af_xdp.c, DPDK 22.11) and do not restore them. Control thread.
 */
final class InterfaceBelow implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(InterfaceBelow.class);
    private static final String FLAGS = "flags";
    private static final String MTU = "mtu";
    /** Flag of a promiscuous interface (linux/if.h). */
    private static final int IFF_PROMISC = 0x100;

    private final String device;
    private final int ifindex;
    private final HostChanges changes;
    private final Deque<HostChanges.Change> expected = new ArrayDeque<>();

    InterfaceBelow(final String device, final int ifindex, final HostChanges changes)
    {
        this.device = device;
        this.ifindex = ifindex;
        this.changes = changes;
    }

    /** Records that the driver will set IFF_PROMISC. */
    void expectPromiscuous()
    {
        try
        {
            final String flags = Files.readString(Path.of("/sys/class/net", device, FLAGS)).strip();
            expect(FLAGS, "0x" + Integer.toHexString(Integer.decode(flags) | IFF_PROMISC));
        }
        catch (final IOException ex)
        {
            notWritten(FLAGS, ex);
        }
    }

    /** Records that the driver will set the MTU. */
    void expectMtu(final int mtu)
    {
        try
        {
            expect(MTU, Integer.toString(mtu));
        }
        catch (final IOException ex)
        {
            notWritten(MTU, ex);
        }
    }

    private void expect(final String file, final String value) throws IOException
    {
        final HostChanges.Change change = changes.expect(device, ifindex, file, value);
        if (change != null)
        {
            expected.push(change);
        }
    }

    private void notWritten(final String file, final IOException ex)
    {
        LOGGER.warn("interface {}: its {} will not be restored at the end: {}", device, file, ex.getMessage());
    }

    /** Restores the values after the device was closed. */
    @Override
    public void close()
    {
        expected.forEach(HostChanges.Change::close);
        expected.clear();
    }
}
