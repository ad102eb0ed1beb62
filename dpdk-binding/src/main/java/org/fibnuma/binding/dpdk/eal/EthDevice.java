package org.fibnuma.binding.dpdk.eal;

import org.agrona.UnsafeApi;
import org.fibnuma.binding.dpdk.layout.EthDeviceLayout;
import org.fibnuma.binding.dpdk.layout.EthStatsLayout;
import org.fibnuma.binding.dpdk.layout.FpOpsLayout;
import org.fibnuma.binding.libc.NativeText;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.core.UserException;
import org.fibnuma.core.port.FlowControlAnswer;
import org.fibnuma.core.wire.MacAddress;

import java.util.function.IntSupplier;

/**
 * An Ethernet device of DPDK, from its probe to its removal. Used by the control thread; workers call the functions of
 * {@link #rxBurst} and {@link #txBurst}.
 */
public final class EthDevice implements AutoCloseable
{
    private final DpdkLibraries libraries;
    private final EthdevLibrary library;
    private final String name;
    private final int port;
    private final StructMemory scratch = new StructMemory(EthDeviceLayout.CONF_ROOM);
    private final long device;
    /** Guards calls that access the PHY: drivers use one management bus without a lock. */
    private final Object phy = new Object();
    private boolean started;
    private boolean endsOnInterruptThread;

    private EthDevice(final Eal eal, final String name, final int port)
    {
        this.libraries = eal.libraries();
        this.library = libraries.ethdev();
        this.name = name;
        this.port = port;
        check(library.rte_eth_dev_info_get(port, scratch.address()), "report its properties");
        this.device = scratch.getLong(EthDeviceLayout.INFO_DEVICE_OFFSET);
    }

    /**
     * Creates a virtual device, or takes a card from the kernel. It is not configured.
     *
     * @param eal       started.
     * @param name      of the device, such as {@code net_memif0} or {@code 0000:01:00.0}.
     * @param arguments as for DPDK's {@code --vdev} and {@code -a}, with the name.
     * @throws UserException if there is no such device, or the name is in use.
     */
    public static EthDevice probe(final Eal eal, final String name, final String arguments)
    {
        synchronized (Eal.class)
        {
            final DpdkLibraries libraries = eal.libraries();
            try (EalLog log = new EalLog(libraries.eal()); StructMemory id = new StructMemory(Long.BYTES))
            {
                if (libraries.ethdev().rte_eth_dev_get_port_by_name(name, id.address()) == 0)
                {
                    throw new UserException(name + " is in use by another port: give it another number");
                }
                final int result = libraries.eal().rte_dev_probe(arguments);
                if (result != 0 || libraries.ethdev().rte_eth_dev_get_port_by_name(name, id.address()) != 0)
                {
                    throw new UserException(DeviceProblem.explain(
                        name, log.reason(), result == 0 ? "" : libraries.eal().rte_strerror(Math.abs(result))));
                }
                return new EthDevice(eal, name, id.getShort(0));
            }
        }
    }

    /**
     * Sets up equal numbers of receive and transmit queues.
     *
     * @param queues        1 or more.
     * @param rxDescriptors of each receive queue; the device may adjust the number.
     * @param txDescriptors of each transmit queue; the device may adjust the number.
     * @param pool          source of mbufs for received frames.
     * @throws UserException if the device has fewer queues, or refuses.
     */
    public void configure(final int queues, final int rxDescriptors, final int txDescriptors, final Mempool pool)
    {
        check(library.rte_eth_dev_info_get(port, scratch.address()), "report its properties");
        final int offset = libraries.release().infoMaxRxQueuesOffset();
        final int most = Math.min(scratch.getShort(offset), scratch.getShort(offset + Short.BYTES));
        final long rssFields = scratch.getLong(EthDeviceLayout.INFO_RSS_OFFLOADS_OFFSET);
        if (queues > most)
        {
            throw new UserException("has " + most + " queues and " + queues + " are needed, one for each worker: " +
                "set workers = " + most + ", or give the device more queues");
        }
        logged("set up its queues", () ->
        {
            int result = library.rte_eth_dev_configure(port, queues, queues, conf(queues, rssFields));
            scratch.putShort(0, rxDescriptors).putShort(Long.BYTES, txDescriptors);
            result = result == 0 ? library.rte_eth_dev_adjust_nb_rx_tx_desc(
                port, scratch.address(), scratch.address() + Long.BYTES) : result;
            final int rx = scratch.getShort(0);
            final int tx = scratch.getShort(Long.BYTES);
            final int socket = library.rte_eth_dev_socket_id(port);
            for (int queue = 0; queue < queues && result == 0; queue++)
            {
                result = library.rte_eth_rx_queue_setup(port, queue, rx, socket, 0, pool.address());
                result = result == 0 ? library.rte_eth_tx_queue_setup(port, queue, tx, socket, 0) : result;
            }
            return result;
        });
        // A router receives multicast, and its MAC address may differ from the card's. Some drivers ignore these calls.
        library.rte_eth_promiscuous_enable(port);
        library.rte_eth_allmulticast_enable(port);
    }

    private long conf(final int queues, final long rssFields)
    {
        for (int offset = 0; offset < scratch.size(); offset += Long.BYTES)
        {
            scratch.putLong(offset, 0);
        }
        if (queues > 1 && rssFields != 0)
        {
            scratch.putInt(EthDeviceLayout.CONF_RX_MQ_MODE_OFFSET, EthDeviceLayout.MQ_RX_RSS)
                .putLong(EthDeviceLayout.CONF_RSS_HF_OFFSET, rssFields & EthDeviceLayout.RSS_IP_AND_PORTS);
        }
        return scratch.address();
    }

    /**
     * Makes DPDK's interrupt thread stop and close this device. For a driver whose interrupt handler frees memory that
     * stopping and closing also free, without a lock: net_memif frees its rings when the peer ends.
     */
    public void endOnInterruptThread()
    {
        endsOnInterruptThread = true;
    }

    /** Starts the device; {@link #rxBurst} and {@link #txBurst} are valid from now on. */
    public void start()
    {
        logged("start", () -> library.rte_eth_dev_start(port));
        started = true;
    }

    /** Returns the address of the receive function, for {@link FunctionPointer#burst}. */
    public long rxBurst()
    {
        return UnsafeApi.getLong(fastFunctions() + layout().rxBurst());
    }

    /** Returns the driver's receive queue of an index from 0, the first argument of {@link #rxBurst}. */
    public long rxQueue(final int queue)
    {
        return UnsafeApi.getLong(
            UnsafeApi.getLong(fastFunctions() + layout().rxQueues()) + (long)queue * Long.BYTES);
    }

    /** Returns the address of the transmit function, for {@link FunctionPointer#burst}. */
    public long txBurst()
    {
        return UnsafeApi.getLong(fastFunctions() + layout().txBurst());
    }

    /** Returns the driver's transmit queue of an index from 0, the first argument of {@link #txBurst}. */
    public long txQueue(final int queue)
    {
        return UnsafeApi.getLong(
            UnsafeApi.getLong(fastFunctions() + layout().txQueues()) + (long)queue * Long.BYTES);
    }

    /** Returns the link-layer address in the format of {@link MacAddress}. */
    public long macAddress()
    {
        check(library.rte_eth_macaddr_get(port, scratch.address()), "report its MAC address");
        long mac = 0;
        for (int i = 0; i < MacAddress.LENGTH; i++)
        {
            mac = mac << Byte.SIZE | scratch.getByte(i) & 0xFF;
        }
        return mac;
    }

    /** Returns the longest packet in bytes, without the Ethernet header. */
    public int mtu()
    {
        check(library.rte_eth_dev_get_mtu(port, scratch.address()), "report its MTU");
        return scratch.getShort(0);
    }

    /**
     * Sets the MTU in bytes, without the Ethernet header; not every driver can do so after {@link #start()}.
     *
     * @throws UserException if the device refuses.
     */
    public void mtu(final int mtu)
    {
        check(library.rte_eth_dev_set_mtu(port, mtu), "set an MTU of " + mtu);
    }

    /**
     * Sets the link-layer address, in the format of {@link MacAddress}; returns false if the device refuses. A device
     * that cannot do so still receives frames to any address, because it is promiscuous.
     */
    public boolean macAddress(final long macAddress)
    {
        try (StructMemory mac = new StructMemory(MacAddress.LENGTH))
        {
            for (int i = 0; i < MacAddress.LENGTH; i++)
            {
                mac.putByte(i, (int)(macAddress >>> Byte.SIZE * (MacAddress.LENGTH - 1 - i)));
            }
            return library.rte_eth_dev_default_mac_addr_set(port, mac.address()) == 0;
        }
    }

    /** Returns whether the driver has detected that the device was removed; then permanently true. */
    public boolean isRemoved()
    {
        return library.rte_eth_dev_is_removed(port) == 1;
    }

    /** Returns whether the link is up; any thread. */
    public boolean isUp()
    {
        try (StructMemory link = new StructMemory(EthDeviceLayout.LINK_ROOM))
        {
            synchronized (phy)
            {
                return library.rte_eth_link_get_nowait(port, link.address()) == 0 &&
                    (link.getInt(EthDeviceLayout.LINK_BITS_OFFSET) & EthDeviceLayout.LINK_UP_BIT) != 0;
            }
        }
    }

    /** Returns the name of the driver, such as {@code net_e1000_em}. */
    public String driver()
    {
        check(library.rte_eth_dev_info_get(port, scratch.address()), "report its properties");
        return NativeText.zeroTerminatedAt(scratch.getLong(EthDeviceLayout.INFO_DRIVER_NAME_OFFSET));
    }

    /**
     * Returns a counter of {@link EthStatsLayout} since the device was created, or 0 if the device does not report it;
     * any thread.
     */
    public long statistic(final int offset)
    {
        try (StructMemory stats = new StructMemory(EthStatsLayout.SIZE))
        {
            return library.rte_eth_stats_get(port, stats.address()) == 0 ? stats.getLong(offset) : 0;
        }
    }

    /**
     * Configures the MAC to send and obey pause frames, after {@link #start()}. Most virtual devices cannot do so.
     *
     * @param priorities bit n for priority n (IEEE 802.1Qbb); 0 for the whole link (IEEE 802.3 Annex 31B).
     */
    public FlowControlAnswer flowControl(final int priorities)
    {
        final int result;
        synchronized (phy)
        {
            result = DeviceFlowControl.configure(library, port, priorities);
        }
        if (result == 0)
        {
            return FlowControlAnswer.DONE;
        }
        final String reason = name + " cannot do flow control: " + libraries.eal().rte_strerror(-result);
        return DeviceFlowControl.isTransient(result) ?
            FlowControlAnswer.notNow(reason) : FlowControlAnswer.notPossible(reason);
    }

    /**
     * Returns the address of the driver's private data, {@code rte_eth_dev_data.dev_private}, or 0 if DPDK's structure
     * has an unknown layout.
     */
    public long driverPrivate()
    {
        final long dev = library.rte_eth_dev_allocated(name);
        final long data = dev == 0 ? 0 : UnsafeApi.getLong(dev + libraries.release().devDataOffset());
        final boolean isKnown = data != 0 &&
            name.equals(NativeText.zeroTerminatedAt(data + EthDeviceLayout.DATA_NAME_OFFSET));
        return isKnown ? UnsafeApi.getLong(data + EthDeviceLayout.DATA_DEV_PRIVATE_OFFSET) : 0;
    }

    /** Returns the address of the {@code struct rte_device}. */
    long device()
    {
        return device;
    }

    /** Ends receiving and sending. Its workers have stopped before. */
    public void stop()
    {
        synchronized (Eal.class)
        {
            if (started)
            {
                started = false;
                if (!callOnInterruptThread("rte_eth_dev_stop"))
                {
                    library.rte_eth_dev_stop(port);
                }
            }
        }
    }

    /** Stops the device, frees its mbufs to their pool and removes it from DPDK. Its workers have stopped before. */
    @Override
    public void close()
    {
        synchronized (Eal.class)
        {
            final EalLog log = new EalLog(libraries.eal());
            try
            {
                stop();
                if (!callOnInterruptThread("rte_eth_dev_close"))
                {
                    library.rte_eth_dev_close(port);
                }
                libraries.eal().rte_dev_remove(device);
            }
            finally
            {
                log.close();
            }
        }
        scratch.close();
    }

    private boolean callOnInterruptThread(final String function)
    {
        return endsOnInterruptThread && new InterruptThread(libraries).call(function, port);
    }

    private FpOpsLayout layout()
    {
        return libraries.release().fpOps();
    }

    private long fastFunctions()
    {
        return libraries.address("rte_ethdev", "rte_eth_fp_ops") + (long)port * FpOpsLayout.SIZE;
    }

    private void logged(final String action, final IntSupplier call)
    {
        synchronized (Eal.class)
        {
            try (EalLog log = new EalLog(libraries.eal()))
            {
                final int result = call.getAsInt();
                if (result != 0)
                {
                    final String reason = log.reason();
                    throw new UserException(name + " cannot " + action + ": " + DeviceProblem.withRemedy(
                        reason.isEmpty() ? libraries.eal().rte_strerror(-result) : reason));
                }
            }
        }
    }

    private void check(final int result, final String action)
    {
        if (result != 0)
        {
            throw new UserException(name + " cannot " + action + ": " + libraries.eal().rte_strerror(-result));
        }
    }
}
