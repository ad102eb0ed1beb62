package org.fibnuma.binding.netdevice;

import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.core.service.host.InterfaceValues;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Offload features and numbers of channels of interfaces, as {@code ethtool -k} and {@code ethtool -l} show them. The
 * name of a feature is {@link #PREFIX} and the kernel's name; its value is {@code on} or {@code off}. Interfaces are
 * those of the network namespace of the thread that called the constructor. One thread at a time.
 */
public final class EthtoolValues implements InterfaceValues
{
    /** Start of all names, which files of {@code /sys/class/net} do not have. */
    public static final String PREFIX = "ethtool:";
    /** The numbers of channels, such as {@code rx 0 tx 0 other 1 combined 2}. */
    public static final String CHANNELS = PREFIX + "channels";
    public static final String ON = "on";
    public static final String OFF = "off";

    /**
     * Longest time in ms in which a smaller number of channels is tried again. The kernel releases a queue some time
     * after the close of its AF_XDP socket (xp_release_deferred, net/xdp/xsk_buff_pool.c, Linux 6.18).
     */
    private static final long PATIENCE_MS = 500;
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final String[] COUNT_NAMES = {"rx", "tx", "other", "combined"};
    private static final int[] COUNT_OFFSETS = {EthtoolLayout.RX_COUNT_OFFSET, EthtoolLayout.TX_COUNT_OFFSET,
        EthtoolLayout.OTHER_COUNT_OFFSET, EthtoolLayout.COMBINED_COUNT_OFFSET};

    private final int socket;
    private final StructMemory ifreq = new StructMemory(IfreqLayout.SIZE);
    /** Bits of the kernel's features by name, the same for all interfaces. */
    private final Map<String, Integer> bits = new HashMap<>();

    /**
     * Opens a socket in the calling thread's network namespace.
     *
     * @throws SystemCallException if the kernel refuses.
     */
    public EthtoolValues()
    {
        socket = NetworkDevice.openSocket(LibC.get());
    }

    @Override
    public boolean has(final String name)
    {
        return name.startsWith(PREFIX);
    }

    @Override
    public String nameOf(final int ifindex)
    {
        ifreq.putInt(IfreqLayout.VALUE_OFFSET, ifindex);
        return LibC.get().ioctl(socket, IfreqLayout.SIOCGIFNAME, ifreq.address()) == 0 ?
            ifreq.getString(IfreqLayout.NAME_OFFSET, IfreqLayout.NAME_SIZE) : null;
    }

    @Override
    public String read(final String device, final int ifindex, final String name) throws IOException
    {
        if (!isThere(device, ifindex))
        {
            return null;
        }
        return CHANNELS.equals(name) ? channels(device) : isActive(device, bit(device, name)) ? ON : OFF;
    }

    @Override
    public void write(final String device, final String name, final String value) throws IOException
    {
        if (CHANNELS.equals(name))
        {
            setChannels(device, value);
            return;
        }
        final int bit = bit(device, name);
        setFeature(device, bit, ON.equals(value));
        if (isActive(device, bit) != ON.equals(value))
        {
            throw new IOException(name.substring(PREFIX.length()) + " of " + device + " is fixed");
        }
    }

    /**
     * Returns the value of {@link #CHANNELS} with which an interface has a number of queues in each direction.
     *
     * @throws IOException in one line if the driver does not have that many, or does not report its channels.
     */
    public String channelsFor(final String device, final int count) throws IOException
    {
        try (StructMemory channels = new StructMemory(EthtoolLayout.CHANNELS_SIZE))
        {
            command(device, channels, EthtoolLayout.ETHTOOL_GCHANNELS, "ETHTOOL_GCHANNELS");
            final int combined = channels.getInt(EthtoolLayout.MAX_COMBINED_OFFSET);
            final int separate = Math.min(channels.getInt(EthtoolLayout.MAX_RX_OFFSET),
                channels.getInt(EthtoolLayout.MAX_TX_OFFSET));
            if (count > Math.max(combined, separate))
            {
                throw new IOException(
                    device + " has at most " + Math.max(combined, separate) + " queues each way");
            }
            final boolean isCombined = count <= combined;
            channels.putInt(EthtoolLayout.RX_COUNT_OFFSET, isCombined ? 0 : count)
                .putInt(EthtoolLayout.TX_COUNT_OFFSET, isCombined ? 0 : count)
                .putInt(EthtoolLayout.COMBINED_COUNT_OFFSET, isCombined ? count : 0);
            return text(channels);
        }
    }

    /**
     * Returns the number of receive queues of an interface that are in use; {@link NetworkDevice#UNKNOWN} if the driver
     * does not report it.
     */
    public int rxQueues(final String device)
    {
        try (StructMemory channels = new StructMemory(EthtoolLayout.CHANNELS_SIZE))
        {
            channels.putInt(EthtoolLayout.COMMAND_OFFSET, EthtoolLayout.ETHTOOL_GCHANNELS);
            return !tryCommand(device, channels) ? NetworkDevice.UNKNOWN :
                channels.getInt(EthtoolLayout.RX_COUNT_OFFSET) + channels.getInt(EthtoolLayout.COMBINED_COUNT_OFFSET);
        }
    }

    @Override
    public void close()
    {
        LibC.get().close(socket);
        ifreq.close();
    }

    private boolean isThere(final String device, final int ifindex)
    {
        return NetworkDevice.isName(device) &&
            LibC.get().ioctl(socket, IfreqLayout.SIOCGIFINDEX, named(device).address()) == 0 &&
            ifreq.getInt(IfreqLayout.VALUE_OFFSET) == ifindex;
    }

    private String channels(final String device) throws IOException
    {
        try (StructMemory channels = new StructMemory(EthtoolLayout.CHANNELS_SIZE))
        {
            command(device, channels, EthtoolLayout.ETHTOOL_GCHANNELS, "ETHTOOL_GCHANNELS");
            return text(channels);
        }
    }

    private static String text(final StructMemory channels)
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < COUNT_NAMES.length; i++)
        {
            text.append(i == 0 ? "" : " ").append(COUNT_NAMES[i]).append(' ')
                .append(channels.getInt(COUNT_OFFSETS[i]));
        }
        return text.toString();
    }

    private void setChannels(final String device, final String value) throws IOException
    {
        final String[] words = value.split(" ");
        if (words.length != 2 * COUNT_NAMES.length)
        {
            throw new IOException("not numbers of channels: " + value);
        }
        try (StructMemory channels = new StructMemory(EthtoolLayout.CHANNELS_SIZE))
        {
            command(device, channels, EthtoolLayout.ETHTOOL_GCHANNELS, "ETHTOOL_GCHANNELS");
            for (int i = 0; i < COUNT_NAMES.length; i++)
            {
                channels.putInt(COUNT_OFFSETS[i], Integer.parseInt(words[2 * i + 1]));
            }
            final long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
            channels.putInt(EthtoolLayout.COMMAND_OFFSET, EthtoolLayout.ETHTOOL_SCHANNELS);
            while (!tryCommand(device, channels))
            {
                final int errno = Errno.last();
                if (!Errno.EINVAL.is(errno) && !Errno.EBUSY.is(errno) || System.nanoTime() - deadline >= 0)
                {
                    throw new IOException("ETHTOOL_SCHANNELS of " + device + ": " + Errno.text(errno));
                }
                LockSupport.parkNanos(INTERVAL_NS);
            }
        }
        catch (final NumberFormatException ex)
        {
            throw new IOException("not numbers of channels: " + value, ex);
        }
    }

    private boolean isActive(final String device, final int bit) throws IOException
    {
        final int blocks = blocks();
        try (StructMemory features = new StructMemory(
            EthtoolLayout.FEATURES_OFFSET + blocks * EthtoolLayout.GET_BLOCK_SIZE))
        {
            features.putInt(EthtoolLayout.FEATURE_BLOCKS_OFFSET, blocks);
            command(device, features, EthtoolLayout.ETHTOOL_GFEATURES, "ETHTOOL_GFEATURES");
            return (features.getInt(EthtoolLayout.FEATURES_OFFSET + bit / Integer.SIZE * EthtoolLayout.GET_BLOCK_SIZE +
                EthtoolLayout.ACTIVE_OFFSET) >>> bit % Integer.SIZE & 1) != 0;
        }
    }

    private void setFeature(final String device, final int bit, final boolean on) throws IOException
    {
        final int blocks = blocks();
        try (StructMemory features = new StructMemory(
            EthtoolLayout.FEATURES_OFFSET + blocks * EthtoolLayout.SET_BLOCK_SIZE))
        {
            final int block = EthtoolLayout.FEATURES_OFFSET + bit / Integer.SIZE * EthtoolLayout.SET_BLOCK_SIZE;
            final int mask = 1 << bit % Integer.SIZE;
            features.putInt(EthtoolLayout.FEATURE_BLOCKS_OFFSET, blocks)
                .putInt(block, mask).putInt(block + EthtoolLayout.REQUESTED_OFFSET, on ? mask : 0);
            command(device, features, EthtoolLayout.ETHTOOL_SFEATURES, "ETHTOOL_SFEATURES");
        }
    }

    private int blocks()
    {
        return (bits.size() + Integer.SIZE - 1) / Integer.SIZE;
    }

    private int bit(final String device, final String name) throws IOException
    {
        if (bits.isEmpty())
        {
            readFeatureNames(device);
        }
        final Integer bit = bits.get(name.substring(PREFIX.length()));
        if (bit == null)
        {
            throw new IOException("this kernel has no feature " + name.substring(PREFIX.length()));
        }
        return bit;
    }

    private void readFeatureNames(final String device) throws IOException
    {
        final int count;
        try (StructMemory information = new StructMemory(EthtoolLayout.SET_INFORMATION_SIZE))
        {
            information.putLong(EthtoolLayout.SET_MASK_OFFSET, 1L << EthtoolLayout.ETH_SS_FEATURES);
            command(device, information, EthtoolLayout.ETHTOOL_GSSET_INFO, "ETHTOOL_GSSET_INFO");
            count = information.getInt(EthtoolLayout.SET_LENGTHS_OFFSET);
        }
        try (StructMemory strings = new StructMemory(
            EthtoolLayout.STRINGS_OFFSET + count * EthtoolLayout.ETH_GSTRING_LEN))
        {
            strings.putInt(EthtoolLayout.STRING_SET_OFFSET, EthtoolLayout.ETH_SS_FEATURES)
                .putInt(EthtoolLayout.STRINGS_LENGTH_OFFSET, count);
            command(device, strings, EthtoolLayout.ETHTOOL_GSTRINGS, "ETHTOOL_GSTRINGS");
            for (int i = 0; i < count; i++)
            {
                final String name = strings.getString(
                    EthtoolLayout.STRINGS_OFFSET + i * EthtoolLayout.ETH_GSTRING_LEN, EthtoolLayout.ETH_GSTRING_LEN);
                // A bit without a name still counts.
                bits.put(name.isEmpty() ? "bit " + i : name, i);
            }
        }
    }

    private void command(
        final String device, final StructMemory structure, final int command, final String name) throws IOException
    {
        structure.putInt(EthtoolLayout.COMMAND_OFFSET, command);
        if (!tryCommand(device, structure))
        {
            throw new IOException(name + " of " + device + ": " + Errno.text(Errno.last()));
        }
    }

    private boolean tryCommand(final String device, final StructMemory structure)
    {
        named(device).putLong(IfreqLayout.VALUE_OFFSET, structure.address());
        return LibC.get().ioctl(socket, IfreqLayout.SIOCETHTOOL, ifreq.address()) >= 0;
    }

    private StructMemory named(final String device)
    {
        return ifreq.putString(IfreqLayout.NAME_OFFSET, device, IfreqLayout.NAME_SIZE);
    }
}
