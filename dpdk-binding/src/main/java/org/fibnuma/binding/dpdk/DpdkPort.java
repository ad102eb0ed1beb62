package org.fibnuma.binding.dpdk;

import org.fibnuma.binding.dpdk.eal.Eal;
import org.fibnuma.binding.dpdk.eal.EthDevice;
import org.fibnuma.binding.dpdk.layout.EthStatsLayout;
import org.fibnuma.binding.dpdk.layout.MbufLayout;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.netdevice.InterfaceState;
import org.fibnuma.binding.netdevice.NetworkDevice;
import org.fibnuma.core.UserException;
import org.fibnuma.core.port.ConfigurableDevice;
import org.fibnuma.core.port.FlowControlAnswer;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A port on a DPDK device. Opening the port creates the device or takes it from the kernel, so that errors are found
 * before anything starts. The driver runs from {@link #start()} on.
 */
final class DpdkPort implements Port, ConfigurableDevice
{
    private static final Logger LOGGER = LoggerFactory.getLogger(DpdkPort.class);

    /** Fewest frames that may wait for the driver; a larger ring permits as many as it has descriptors. */
    private static final int LEAST_WAITING = 64;
    /** A receive ring needs twice its number of frames, because it is emptied while it is filled. */
    private static final int FRAMES_PER_RX_DESCRIPTOR = 2;

    /** Argument that names the kernel's interface: af_packet, af_xdp, tap, pcap. */
    private static final Pattern INTERFACE = Pattern.compile(",iface=([^,]+)");

    /** Driver that receives frames from the kernel with complete checksums. */
    private static final String TAP_DRIVER = "net_tap";

    private final PortRequest request;
    private final String prefix;
    private final DpdkRxQueue[] rxQueues;
    private final DpdkTxQueue[] txQueues;
    private MbufPool mbufPool;
    private EthDevice device;
    private String mode;
    private volatile boolean macFlowControl;
    private volatile long macAddress;
    private volatile int mtu;
    private InterfaceState below;
    private boolean deliversPartialChecksums;
    private InterfaceBelow belowChanges;
    private MemifConnection connection;
    private boolean isMapped;

    private DpdkPort(final PortRequest request)
    {
        this.request = request;
        this.prefix = "port " + request.name() + " (" + device() + "): ";
        this.rxQueues = new DpdkRxQueue[request.queueCount()];
        this.txQueues = new DpdkTxQueue[request.queueCount()];
    }

    static DpdkPort open(final PortRequest request)
    {
        final DpdkPort port = new DpdkPort(request);
        try
        {
            port.openDevice();
            return port;
        }
        catch (final UserException ex)
        {
            port.close();
            throw new UserException(port.prefix + ex.getMessage(), ex);
        }
        catch (final RuntimeException ex)
        {
            port.close();
            throw ex;
        }
    }

    private void openDevice()
    {
        final DeviceName name = DeviceName.parse(request.device());
        final Eal eal = Eal.start(name.isPci());
        if (!eal.advice().isEmpty())
        {
            LOGGER.warn("{}{}", prefix, eal.advice());
        }
        MemifSocket.prepare(name.arguments());
        mbufPool = MbufPool.open(eal, request.pools());
        recordBelow(name);
        device = EthDevice.probe(eal, name.name(), name.arguments());
        if (name.isPci())
        {
            mbufPool.map(device);
            isMapped = true;
        }
        final int rxRing = request.settings().rxRingSize();
        final int txRing = request.settings().txRingSize();
        for (int i = 0; i < rxQueues.length; i++)
        {
            final PoolShare share = mbufPool.shareOf(request.pools().get(i));
            share.contribute(FRAMES_PER_RX_DESCRIPTOR * rxRing + txRing);
            rxQueues[i] = new DpdkRxQueue(eal, share, mbufPool.mempool(), request.index());
            txQueues[i] = new DpdkTxQueue(eal, mbufPool.mempool(), Math.max(LEAST_WAITING, txRing));
        }
        device.configure(rxQueues.length, rxRing, txRing, mbufPool.mempool());
        if (MemifConnection.isMemif(name.arguments()))
        {
            device.endOnInterruptThread();
            connection = MemifConnection.of(device.driverPrivate(), name.arguments());
            if (connection == null)
            {
                LOGGER.warn("{}its driver has an unknown layout: a peer that ends under traffic may end this " +
                    "process, too", prefix);
            }
        }
        // Read once, because any thread may call the getters.
        macAddress = device.macAddress();
        mtu = Math.min(device.mtu(), longestPacket());
        mode = eal.version() + ", " + device.driver();
        watchBelow(name);
    }

    /** Records the changes of a driver on a kernel interface, which does not restore flags and MTU. */
    private void recordBelow(final DeviceName name)
    {
        final Matcher matcher = INTERFACE.matcher(name.arguments());
        final int index = matcher.find() ? LibC.get().if_nametoindex(matcher.group(1)) : 0;
        if (index != 0)
        {
            belowChanges = new InterfaceBelow(matcher.group(1), index, request.changes());
            belowChanges.expectPromiscuous();
        }
    }

    /** Called after the device was opened, because net_tap then creates its interface. */
    private void watchBelow(final DeviceName name)
    {
        final Matcher matcher = INTERFACE.matcher(name.arguments());
        final NetworkDevice interfaceBelow = matcher.find() && NetworkDevice.isName(matcher.group(1)) ?
            NetworkDevice.read(matcher.group(1)) : null;
        if (interfaceBelow != null)
        {
            below = new InterfaceState(matcher.group(1));
            deliversPartialChecksums =
                interfaceBelow.deliversPartialChecksums() && !name.name().startsWith(TAP_DRIVER);
        }
    }

    /** Returns the lock that protects a memif connection during a burst; null for other drivers. */
    MemifConnection connection()
    {
        return connection;
    }

    /** Returns the longest packet in bytes that fits in an mbuf after the usual headroom. */
    private int longestPacket()
    {
        return request.pools().get(0).chunkSize() - MbufLayout.FRAME_IN_CHUNK - EthernetHeaderFlyweight.LENGTH;
    }

    @Override
    public String name()
    {
        return request.name();
    }

    @Override
    public String device()
    {
        return DpdkPortProvider.SCHEME + ":" + request.device();
    }

    @Override
    public String mode()
    {
        return device == null || device.isUp() ? mode : mode + ", link down";
    }

    @Override
    public boolean linkUp()
    {
        return device.isUp() && (below == null || below.isRunning());
    }

    /** Packet sockets and AF_XDP pass only the bytes of a frame to a DPDK driver. */
    @Override
    public boolean deliversPartialChecksums()
    {
        return deliversPartialChecksums;
    }

    /** Some drivers on a kernel interface do not report its link state or its removal. */
    @Override
    public boolean removed()
    {
        return device.isRemoved() || below != null && !below.exists();
    }

    @Override
    public void adopt(final long newMacAddress, final int newMtu)
    {
        if (newMacAddress != macAddress && device.macAddress(newMacAddress))
        {
            macAddress = newMacAddress;
        }
        if (newMtu == mtu)
        {
            return;
        }
        if (newMtu > longestPacket())
        {
            throw new UserException(prefix + "an MTU of " + newMtu + " does not fit its frames: ip link set the " +
                "interface's mtu to " + mtu + ", or set frame-size = 4096 and restart");
        }
        try
        {
            if (belowChanges != null)
            {
                belowChanges.expectMtu(newMtu);
            }
            device.mtu(newMtu);
            mtu = newMtu;
        }
        catch (final UserException ex)
        {
            // The router enforces a smaller MTU: it sends no longer packets.
            if (newMtu > mtu)
            {
                throw new UserException(prefix + ex.getMessage() + " while it runs: ip link set the interface's mtu " +
                    "to " + mtu + ", or restart", ex);
            }
        }
    }

    @Override
    public int interfaceIndex()
    {
        return 0;
    }

    @Override
    public long macAddress()
    {
        return macAddress;
    }

    @Override
    public int mtu()
    {
        return mtu;
    }

    @Override
    public int queueCount()
    {
        return rxQueues.length;
    }

    @Override
    public RxQueue rxQueue(final int queue)
    {
        return rxQueues[queue];
    }

    @Override
    public TxQueue txQueue(final int queue)
    {
        return txQueues[queue];
    }

    @Override
    public void start()
    {
        try
        {
            device.start();
        }
        catch (final UserException ex)
        {
            throw new UserException(prefix + ex.getMessage(), ex);
        }
        for (int i = 0; i < rxQueues.length; i++)
        {
            mbufPool.shareOf(request.pools().get(i)).settle();
            txQueues[i].start(device, i, connection);
            rxQueues[i].start(device, i, connection);
        }
    }

    @Override
    public FlowControlAnswer enableFlowControl(final int priorities)
    {
        final FlowControlAnswer answer = device.flowControl(priorities);
        macFlowControl = answer.outcome() == FlowControlAnswer.Outcome.DONE;
        return answer;
    }

    @Override
    public boolean isFlowControlEnabled()
    {
        return macFlowControl;
    }

    @Override
    public long deviceCounter(final PortCounter counter)
    {
        return switch (counter)
        {
            case RX_RING_FULL -> device.statistic(EthStatsLayout.IMISSED_OFFSET);
            case RX_NO_BUFFER -> device.statistic(EthStatsLayout.RX_NOMBUF_OFFSET);
            case RX_DROPPED -> device.statistic(EthStatsLayout.IERRORS_OFFSET);
            case RX_TRUNCATED -> segmented();
            case TX_INVALID -> device.statistic(EthStatsLayout.OERRORS_OFFSET);
        };
    }

    private long segmented()
    {
        long sum = 0;
        for (final DpdkRxQueue rxQueue : rxQueues)
        {
            sum += rxQueue.dropped();
        }
        return sum;
    }

    @Override
    public void close()
    {
        for (int i = 0; i < rxQueues.length; i++)
        {
            if (rxQueues[i] != null)
            {
                rxQueues[i].stop();
                txQueues[i].stop();
                txQueues[i].close();
                rxQueues[i].close();
                rxQueues[i] = null;
            }
        }
        if (device != null)
        {
            device.stop();
            if (isMapped)
            {
                mbufPool.unmap(device);
            }
            device.close();
            device = null;
        }
        if (below != null)
        {
            belowChanges.close();
            below.close();
            below = null;
        }
        if (mbufPool != null)
        {
            mbufPool.close();
            mbufPool = null;
        }
    }
}
