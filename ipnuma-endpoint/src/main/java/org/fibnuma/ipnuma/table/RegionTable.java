package org.fibnuma.ipnuma.table;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.OrderedMemory;

import java.util.ArrayList;
import java.util.List;

/**
 * Shared region table (thesis, section 3.3.4), the last line of defence: whatever a datagram says, nothing but what a
 * {@link Region} admits is read or written here. No input makes it throw or allocate. Belongs to the endpoint's
 * thread; the memory of the regions may be read and written by others at any time. Where another process has taken the
 * memory away by shortening its file, an access that finds out at once is answered {@link AccessStatus#REVOKED}; the
 * JVM may find out later and throws {@link InternalError} from some later call of this thread then.
 */
public final class RegionTable
{
    private final RegionGate[] gates = new RegionGate[RemoteAddress.MAX_REGION_ID + 1];
    private final List<Region> regions = new ArrayList<>();
    private int epoch;
    private long lastValue;

    /**
     * Admits accesses to a region.
     *
     * @param region whose id no other has, but for a revoked one.
     * @return the epoch of the table, which grows by 1 with every region added or revoked.
     * @throws IllegalArgumentException naming the region that has the id.
     */
    public int add(final Region region)
    {
        final RegionGate present = gates[region.id()];
        if (present != null && !present.isRevoked())
        {
            throw new IllegalArgumentException(
                "region id " + region.id() + " belongs to \"" + present.region().name() + "\"");
        }
        gates[region.id()] = new RegionGate(region);
        regions.add(region);
        return ++epoch;
    }

    /**
     * Admits no access to a region from now on: those that show its key are told {@link AccessStatus#REVOKED}. When
     * it returns, nothing more is written there, and the memory may be given back.
     *
     * @param regionId any.
     * @return true where there was such a region.
     */
    public boolean revoke(final int regionId)
    {
        final RegionGate gate = regionId > 0 && regionId < gates.length ? gates[regionId] : null;
        if (gate == null || gate.isRevoked())
        {
            return false;
        }
        gate.revoke();
        regions.remove(gate.region());
        if (gates[0] == gate)
        {
            gates[0] = null;
        }
        epoch++;
        return true;
    }

    /**
     * Chooses the region that addresses with region id 0 reach: the formats with 32-bit addresses know no other.
     *
     * @param regionId of a region of the table.
     * @throws IllegalArgumentException where there is none.
     */
    public void zero(final int regionId)
    {
        final Region region = region(regionId);
        if (region == null)
        {
            throw new IllegalArgumentException("there is no region " + regionId + " for addresses below 2^32");
        }
        gates[0] = gates[regionId];
    }

    /**
     * How often regions were added or revoked.
     *
     * @return 0 or more.
     */
    public int epoch()
    {
        return epoch;
    }

    /**
     * A region that is there.
     *
     * @param regionId any.
     * @return null where it is not, or was revoked.
     */
    public Region region(final int regionId)
    {
        final RegionGate gate = regionId > 0 && regionId < gates.length ? gates[regionId] : null;
        return gate == null || gate.isRevoked() ? null : gate.region();
    }

    /**
     * All that are there.
     *
     * @return in the order in which they were added.
     */
    public List<Region> regions()
    {
        return List.copyOf(regions);
    }

    /**
     * Whether an access would be admitted.
     *
     * @param access        bits of {@link RegionAccess}, all of which must be.
     * @param remoteAddress of the first byte, any.
     * @param key           that it shows.
     * @param sourceIpv4    where it comes from.
     * @param length        in bytes, any.
     * @return an {@link AccessStatus}.
     */
    public int check(
        final int access, final long remoteAddress, final long key, final int sourceIpv4, final int length)
    {
        final RegionGate gate = gate(remoteAddress);
        return gate == null ?
            AccessStatus.NO_REGION :
            gate.check(access, remoteAddress, key, sourceIpv4, length);
    }

    /**
     * Stores bytes, or nothing where that is not admitted. Whoever sees the last aligned 8 of them by an acquiring
     * load (the last 4, 2 or 1 where the bytes end so) sees all the others too; no more than such an aligned unit
     * comes into sight at once.
     *
     * @param remoteAddress of the first byte, any.
     * @param key           that the access shows.
     * @param sourceIpv4    where it comes from.
     * @param dataAddress   of the bytes to store, not in the region.
     * @param length        in bytes, any; with 0 nothing is stored.
     * @return an {@link AccessStatus}.
     */
    public int write(
        final long remoteAddress, final long key, final int sourceIpv4, final long dataAddress, final int length)
    {
        final RegionGate gate = gate(remoteAddress);
        if (gate == null)
        {
            return AccessStatus.NO_REGION;
        }
        final int status = gate.check(RegionAccess.WRITE, remoteAddress, key, sourceIpv4, length);
        if (status == AccessStatus.OK)
        {
            return store(gate, remoteAddress, dataAddress, length);
        }
        return status;
    }

    /**
     * Loads bytes; zeros where that is not admitted.
     *
     * @param remoteAddress      of the first byte, any.
     * @param key                that the access shows.
     * @param sourceIpv4         where it comes from.
     * @param destinationAddress receives {@code length} bytes, for which the caller has made room.
     * @param length             in bytes; below 0 nothing is stored.
     * @return an {@link AccessStatus}.
     */
    public int read(
        final long remoteAddress,
        final long key,
        final int sourceIpv4,
        final long destinationAddress,
        final int length)
    {
        final RegionGate gate = gate(remoteAddress);
        final int status = gate == null ?
            AccessStatus.NO_REGION :
            gate.check(RegionAccess.READ, remoteAddress, key, sourceIpv4, length);
        if (status == AccessStatus.OK)
        {
            return load(gate, remoteAddress, destinationAddress, length);
        }
        if (length > 0)
        {
            FrameMemory.zero(destinationAddress, length);
        }
        return status;
    }

    private static int store(
        final RegionGate gate, final long remoteAddress, final long dataAddress, final int length)
    {
        try
        {
            Publication.store(dataAddress, gate.at(remoteAddress), length);
            return AccessStatus.OK;
        }
        catch (final InternalError ignore)
        {
            // The file is shorter than the region.
            return AccessStatus.REVOKED;
        }
    }

    private static int load(
        final RegionGate gate, final long remoteAddress, final long destinationAddress, final int length)
    {
        try
        {
            Publication.load(gate.at(remoteAddress), destinationAddress, length);
            return AccessStatus.OK;
        }
        catch (final InternalError ignore)
        {
            // The file is shorter than the region.
            FrameMemory.zero(destinationAddress, length);
            return AccessStatus.REVOKED;
        }
    }

    /**
     * Changes 4 or 8 bytes in one step, as numbers in the byte order of the machine; the value before is in
     * {@link #lastValue()}. Where that is not admitted, nothing changes.
     *
     * @param operation     of {@link AtomicOperation}.
     * @param remoteAddress of the first byte, any.
     * @param key           that the access shows.
     * @param sourceIpv4    where it comes from.
     * @param operand       to add or store; its low 32 bits with a width of 4.
     * @param compare       what must stand there for {@link AtomicOperation#COMPARE_SWAP} to store.
     * @param width         4 or 8 bytes.
     * @return an {@link AccessStatus}.
     */
    public int atomic(
        final int operation,
        final long remoteAddress,
        final long key,
        final int sourceIpv4,
        final long operand,
        final long compare,
        final int width)
    {
        lastValue = 0;
        final RegionGate gate = gate(remoteAddress);
        if (gate == null)
        {
            return AccessStatus.NO_REGION;
        }
        final int status = gate.check(RegionAccess.ATOMIC, remoteAddress, key, sourceIpv4, width);
        if (status != AccessStatus.OK)
        {
            return status;
        }
        final boolean knownOperation =
            operation >= AtomicOperation.FETCH_ADD && operation <= AtomicOperation.COMPARE_SWAP;
        if (!knownOperation || width != Integer.BYTES && width != Long.BYTES || (remoteAddress & width - 1) != 0)
        {
            return AccessStatus.MISALIGNED;
        }
        final long address = gate.at(remoteAddress);
        try
        {
            lastValue = width == Long.BYTES ?
                applyLong(operation, address, operand, compare) :
                applyInt(operation, address, (int)operand, (int)compare) & 0xFFFF_FFFFL;
            return AccessStatus.OK;
        }
        catch (final InternalError ignore)
        {
            // The file is shorter than the region.
            return AccessStatus.REVOKED;
        }
    }

    /**
     * What stood there before the last {@link #atomic}.
     *
     * @return the bits, of which those above a width of 4 bytes are 0; 0 where it was not admitted.
     */
    public long lastValue()
    {
        return lastValue;
    }

    private RegionGate gate(final long remoteAddress)
    {
        final long id = remoteAddress >>> RemoteAddress.REGION_SHIFT;
        return id <= RemoteAddress.MAX_REGION_ID ? gates[(int)id] : null;
    }

    private static long applyLong(final int operation, final long address, final long operand, final long compare)
    {
        return switch (operation)
        {
            case AtomicOperation.FETCH_ADD -> OrderedMemory.getAndAddLong(address, operand);
            case AtomicOperation.SWAP -> OrderedMemory.getAndSetLong(address, operand);
            default -> OrderedMemory.compareAndExchangeLong(address, compare, operand);
        };
    }

    private static int applyInt(final int operation, final long address, final int operand, final int compare)
    {
        return switch (operation)
        {
            case AtomicOperation.FETCH_ADD -> OrderedMemory.getAndAddInt(address, operand);
            case AtomicOperation.SWAP -> OrderedMemory.getAndSetInt(address, operand);
            default -> OrderedMemory.compareAndExchangeInt(address, compare, operand);
        };
    }
}
