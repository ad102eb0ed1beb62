package org.fibnuma.binding.afxdp;

import org.fibnuma.binding.netdevice.EthtoolValues;
import org.fibnuma.binding.netdevice.NetworkDevice;
import org.fibnuma.core.service.host.HostChanges;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Settings of an interface that a port needs: the number of queues, and no offloads that change frames before the XDP
 * program. The previous settings are restored on close, or by the next start. Control thread.
 */
final class DeviceSettings implements AutoCloseable
{
    /**
     * Names of features in net/ethtool/common.c (Linux 6.1) with which a card moves a VLAN tag (IEEE 802.1Q, 802.1ad)
     * from the frame to its descriptor, which XDP does not see.
     */
    private static final List<String> VLAN_PARSERS = List.of("rx-vlan-hw-parse", "rx-vlan-stag-hw-parse");

    /** Names of features with which a card merges TCP segments; drivers switch them off for native programs. */
    private static final List<String> SEGMENT_MERGERS = List.of("rx-gro-hw", "rx-lro");

    private final NetworkDevice device;
    private final HostChanges changes;
    private final XdpFailure failure;
    private final EthtoolValues kernel = new EthtoolValues();
    /** Changes by the name of the value. */
    private final Map<String, HostChanges.Change> made = new LinkedHashMap<>();

    /** Opens the interface's settings in the calling thread's network namespace; nothing is changed yet. */
    DeviceSettings(final NetworkDevice device, final HostChanges changes, final XdpFailure failure)
    {
        this.device = device;
        this.changes = changes;
        this.failure = failure;
    }

    /**
     * Sets the number of queues in each direction if the driver reports another number.
     *
     * @throws org.fibnuma.core.UserException if the driver does not have that many.
     */
    void queues(final int count)
    {
        try
        {
            final int rxQueues = kernel.rxQueues(name());
            final String wanted = rxQueues == NetworkDevice.UNKNOWN ? "" : kernel.channelsFor(name(), count);
            if (!wanted.isEmpty() &&
                !wanted.equals(kernel.read(name(), device.index(), EthtoolValues.CHANNELS)))
            {
                make(EthtoolValues.CHANNELS, wanted);
            }
        }
        catch (final IOException ex)
        {
            throw failure.of("cannot set its number of queues to that of the workers, " + count + ": " +
                ex.getMessage() + "; use another number of workers");
        }
    }

    /** Returns the number of receive queues in use, or {@link NetworkDevice#UNKNOWN}. */
    int rxQueues()
    {
        return kernel.rxQueues(name());
    }

    /**
     * Leaves VLAN tags in frames, so that tagged frames are not taken for untagged ones. Returns whether the interface
     * removed them before.
     *
     * @throws org.fibnuma.core.UserException if the driver does not allow it.
     */
    boolean keepVlanTags()
    {
        return switchOff(VLAN_PARSERS,
            "its driver removes VLAN tags from frames, so that tagged frames would be routed as untagged, and this",
            "");
    }

    /**
     * Stops the card from merging TCP segments, which then exceed a receive buffer in generic mode.
     *
     * @throws org.fibnuma.core.UserException if the driver does not allow it.
     */
    void keepSegments()
    {
        switchOff(SEGMENT_MERGERS,
            "its driver refuses a native XDP program, and in generic mode TCP segments that the card merges are " +
            "lost, which", "; use another card, or its settings in the hypervisor");
    }

    private boolean switchOff(final List<String> features, final String problem, final String remedy)
    {
        boolean changed = false;
        for (final String feature : features)
        {
            try
            {
                changed |= switchOff(EthtoolValues.PREFIX + feature);
            }
            catch (final IOException ex)
            {
                throw failure.of(problem + " cannot be switched off (ethtool -K " + name() + " " + feature +
                    " off): " + ex.getMessage() + remedy);
            }
        }
        return changed;
    }

    private boolean switchOff(final String feature) throws IOException
    {
        final boolean isOn = EthtoolValues.ON.equals(kernel.read(name(), device.index(), feature));
        if (isOn)
        {
            make(feature, EthtoolValues.OFF);
        }
        return isOn;
    }

    /** Makes a change, also again after another process has undone it. */
    private void make(final String name, final String value) throws IOException
    {
        HostChanges.Change change = made.get(name);
        if (change == null)
        {
            change = changes.expect(kernel, name(), device.index(), name, value);
        }
        if (change != null)
        {
            made.put(name, change);
            change.make();
        }
    }

    /** Returns the present name of the interface, or its last one after a deletion. */
    private String name()
    {
        final String now = kernel.nameOf(device.index());
        return now == null ? device.name() : now;
    }

    @Override
    public void close()
    {
        made.values().forEach(HostChanges.Change::close);
        made.clear();
        kernel.close();
    }
}
