package org.fibnuma.pfc.headroom;

import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.pfc.EnumKey;
import org.fibnuma.pfc.quanta.LinkSpeed;
import org.fibnuma.pfc.quanta.PauseQuanta;

import java.util.LinkedHashMap;
import java.util.Map;

/** Formulas for headroom: our own and published ones. */
public enum HeadroomModel
{
    /**
     * Our own sum of eight terms. Here: our longest frame, behind which the pause waits, the pause frame, and the delay
     * of our MAC and PHY. Between: the cable in both directions. At the peer: its response time, which contains the
     * delay of its MAC and PHY, and the longest frame, which it has just begun to send. At the end: what we receive in
     * a poll period and in one batch before thresholds are checked.
     */
    OWN
    {
        @Override
        public Headroom compute(final HeadroomRequest request)
        {
            final double bytesPerSecond = request.bitsPerSecond() / 8.0;
            final long frame = request.mtu() + FRAMING_BYTES;
            final Map<String, Number> terms = new LinkedHashMap<>();
            terms.put("ownFrame", frame);
            terms.put("pauseFrame", (long)PAUSE_ON_WIRE_BYTES);
            terms.put("cable",
                (long)Math.ceil(2 * request.cableMeters() / METERS_PER_SECOND * bytesPerSecond));
            terms.put("ownInterface", (long)Math.ceil(request.interfaceBits(ANNEX_O_INTERFACE_BITS) / Byte.SIZE));
            terms.put("peerResponse", peerResponseBytes(request.bitsPerSecond(), true));
            terms.put("peerFrame", frame);
            terms.put("ownPoll", (long)Math.ceil(request.pollNanos() * bytesPerSecond / 1e9));
            terms.put("ownReceiveRing", request.ringFrames() * frame);
            final long xoff = terms.values().stream().mapToLong(Number::longValue).sum();
            return Headroom.of(xoff, 2 * frame, terms);
        }
    },

    /**
     * SONiC's buffer model for NVIDIA switches: {@code buffer_headroom_mellanox.lua}. On a port with 8 lanes the
     * pipeline latency is twice as long less 1 KiB, and the size contains one more packet. With a shared headroom pool
     * the size is xon, and {@link SharedHeadroomPool} contains xoff.
     */
    SONIC
    {
        @Override
        public Headroom compute(final HeadroomRequest request)
        {
            final double cell = request.cellBytesOr(SONIC_CELL_BYTES);
            final double worst = cell > 128 ? cell / 64 : 2 * cell / (1 + cell);
            final double small = request.smallPacketPercent();
            final double occupancy = (100 - small + small * worst) / 100;
            final double megabits = (double)request.bitsPerSecond() / LinkSpeed.MEGABIT;
            final double cable = 2 * request.cableMeters() * megabits * 1e9 / METERS_PER_SECOND / 8192;
            final long peer = peerResponseBytes(request.bitsPerSecond(), false);
            final double propagation =
                request.mtu() + cable + 2 * request.gearboxBytes() + SONIC_MAC_PHY_BYTES + peer;
            final long xoff =
                (long)Math.ceil((SONIC_LOSSLESS_MTU + propagation * occupancy) / KIB) * KIB;
            final Map<String, Number> terms = new LinkedHashMap<>();
            terms.put("losslessMtu", SONIC_LOSSLESS_MTU);
            terms.put("mtu", request.mtu());
            terms.put("cable", cable);
            terms.put("gearbox", 2 * request.gearboxBytes());
            terms.put("macPhy", SONIC_MAC_PHY_BYTES);
            terms.put("peerResponse", peer);
            terms.put("propagation", propagation);
            terms.put("cellOccupancyFactor", occupancy);
            final long xon = request.hasEightLanes() ? 2 * SONIC_PIPELINE_BYTES - KIB : SONIC_PIPELINE_BYTES;
            final long overhead = request.hasEightLanes() ? request.mtu() : 0;
            terms.put("eightLaneOverhead", overhead);
            final long size = request.sharesHeadroom() ? xon : xoff + xon + overhead;
            return new Headroom(xoff, xon, (size + KIB - 1) / KIB * KIB, terms);
        }
    },

    /**
     * Linux's mlx5 driver: {@code calculate_xoff} of {@code en/port_buffer.c}, in integers. The size is the smallest
     * for which {@code update_xoff_threshold} accepts a lossless buffer: xoff, the device's largest MTU of at least
     * 9,216 bytes and a cell. With it, the driver resumes the sender when a cell waits.
     */
    MLX5
    {
        @Override
        public Headroom compute(final HeadroomRequest request)
        {
            final long megabits = Math.max(request.bitsPerSecond() / LinkSpeed.MEGABIT, MLX5_MIN_MEGABITS);
            final long delay = 301 + 216 * (long)request.cableMeters() / 100;
            final long link = delay * megabits / 1000;
            final long frames = 272L * request.mtu() / 100;
            final Map<String, Number> terms = new LinkedHashMap<>();
            terms.put("link", link);
            terms.put("frames", frames);
            final long largestMtu = Math.max(request.mtu(), MLX5_MIN_LARGEST_MTU);
            final long cell = request.cellBytesOr(MLX5_CELL_BYTES);
            terms.put("largestMtu", largestMtu);
            terms.put("cell", cell);
            return new Headroom(link + frames, cell, link + frames + largestMtu + cell, terms);
        }
    },

    /**
     * IEEE 802.1Qbb Annex O as in Linux's ixgbe driver ({@code ixgbe_dcb.h}, IXGBE_DV). Its bit times are those of
     * 100 m of cable at 10 Gb/s with a 10GBASE-T PHY. The requested speed and cable length are ignored.
     */
    ANNEX_O
    {
        @Override
        public Headroom compute(final HeadroomRequest request)
        {
            final long frameBits =
                8L * (request.mtu() + EthernetHeaderFlyweight.LENGTH + FCS_BYTES);
            final long loop = frameBits + ANNEX_O_PFC_BITS + 2 * ANNEX_O_CABLE_BITS + 2 * ANNEX_O_INTERFACE_BITS +
                ANNEX_O_HIGHER_LAYER_BITS;
            final long bits = 36 * loop / 25 + 1 + 2 * frameBits;
            final Map<String, Number> terms = new LinkedHashMap<>();
            terms.put("frameBits", frameBits);
            terms.put("pauseBits", ANNEX_O_PFC_BITS);
            terms.put("cableBits", 2 * ANNEX_O_CABLE_BITS);
            terms.put("interfaceBits", 2 * ANNEX_O_INTERFACE_BITS);
            terms.put("higherLayerBits", ANNEX_O_HIGHER_LAYER_BITS);
            terms.put("bits", bits);
            return Headroom.of((bits + 8 * KIB - 1) / (8 * KIB) * KIB, frameBits / 8, terms);
        }
    };

    private static final int FCS_BYTES = 4;
    /** Ethernet header, one VLAN tag, FCS, preamble and inter-frame gap. */
    private static final long FRAMING_BYTES = EthernetHeaderFlyweight.LENGTH + 4 + FCS_BYTES + 20;
    private static final int PAUSE_ON_WIRE_BYTES = 64 + 20;
    /** Speed of light in fibre, in meters per second. */
    private static final double METERS_PER_SECOND = 198_000_000;
    private static final long KIB = 1024;
    private static final int SONIC_LOSSLESS_MTU = 1500;
    private static final double SONIC_MAC_PHY_BYTES = 0.8 * KIB;
    private static final int SONIC_CELL_BYTES = 96;
    private static final long SONIC_PIPELINE_BYTES = 19 * KIB;
    private static final long MLX5_MIN_MEGABITS = 40_000;
    private static final long MLX5_MIN_LARGEST_MTU = 9216;
    /** {@code 1 << MLX5E_BUFFER_CELL_SHIFT}, for devices that do not report the size. */
    private static final int MLX5_CELL_BYTES = 128;
    private static final long ANNEX_O_PFC_BITS = 672;
    private static final long ANNEX_O_CABLE_BITS = 5556;
    /** Delay of one interface in bit times, both directions: MAC and PCS, XAUI, PHY. */
    private static final long ANNEX_O_INTERFACE_BITS = 4096 + 2048 + 12_800;
    private static final long ANNEX_O_HIGHER_LAYER_BITS = 6144;

    /** Megabits per second and quanta: IEEE 802.3 Annex 31B.3.7 with the sublayers below, as SONiC lists them. */
    private static final int[][] RESPONSE_QUANTA =
    {
        {100, 1}, {1_000, 2}, {10_000, 67}, {25_000, 80}, {40_000, 118}, {50_000, 147}, {100_000, 394},
        {200_000, 453}, {400_000, 905}, {800_000, 905}
    };

    /**
     * Computes the headroom of a lossless priority of a link.
     *
     * @throws IllegalArgumentException if the model does not cover the link's speed.
     */
    public abstract Headroom compute(HeadroomRequest request);

    /** {@return the model of a name} Throws IllegalArgumentException with all names if it is unknown. */
    public static HeadroomModel of(final String key)
    {
        return EnumKey.parse(HeadroomModel.class, "model", key);
    }

    /** {@return the name in commands and JSON, in lower case} */
    public String key()
    {
        return EnumKey.of(this);
    }

    /**
     * Returns the bytes that the peer may send after it received a pause. A speed between two of the table, if allowed,
     * has those of the faster one.
     */
    private static long peerResponseBytes(final long bitsPerSecond, final boolean allowsBetween)
    {
        for (final int[] row : RESPONSE_QUANTA)
        {
            final long speed = row[0] * LinkSpeed.MEGABIT;
            if (bitsPerSecond == speed || allowsBetween && bitsPerSecond < speed)
            {
                return (long)row[1] * PauseQuanta.BYTES;
            }
        }
        throw new IllegalArgumentException("the response time at " + LinkSpeed.format(bitsPerSecond) +
            " is unknown; use 100M, 1G, 10G, 25G, 40G, 50G, 100G, 200G, 400G or 800G");
    }
}
