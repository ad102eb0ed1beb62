package org.fibnuma.ipnuma.table;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.OrderedMemory;

import java.util.ArrayList;
import java.util.List;

/**
 * Shared region table (thesis, section 3.3.4). It is the last check of every access: no content of a datagram can read
 * or write memory that a {@link Region} does not admit. No input makes it throw or allocate. For the endpoint's thread.
 * Other threads and processes may read and write the memory of the regions at any time. If another process shortens the
 * file of a region, an access that detects it returns {@link AccessStatus#REVOKED}. The JVM may detect it later, and
 * then throws {@link InternalError} from a later call of this thread.
 */
public final class RegionTable
{
    private final RegionGate[] gates = new RegionGate[RemoteAddress.MAX_REGION_ID + 1];
    private final List<Region> regions = new ArrayList<>();
    private int epoch;
    private long lastValue;

    /**
     * Adds a region.
     *
     * @param region whose id no other region has, except a revoked one.
     * @return the epoch of the table, which grows by 1 with every region added, replaced or revoked.
     * @throws IllegalArgumentException with the name of the region that has the id.
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
     * Revokes a region: accesses with its key then return {@link AccessStatus#REVOKED}. After this call nothing is
     * written into the region, and its memory may be released.
     *
     * @param regionId any.
     * @return false if there is no such region.
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
     * Replaces a region by one with other rights.
     *
     * @param region with the id and the memory of a region of the table.
     * @return the epoch of the table.
     * @throws IllegalArgumentException if there is no region with this id and memory.
     */
    public int replace(final Region region)
    {
        final Region before = region(region.id());
        if (before == null || before.address() != region.address() || before.length() != region.length())
        {
            throw new IllegalArgumentException("there is no region " + region.id() + " with this memory");
        }
        final RegionGate gate = new RegionGate(region);
        if (gates[0] == gates[region.id()])
        {
            gates[0] = gate;
        }
        gates[region.id()] = gate;
        regions.set(regions.indexOf(before), region);
        return ++epoch;
    }

    /**
     * Sets the region of addresses with region id 0, the only one that formats with 32-bit addresses can access.
     *
     * @param regionId of a region of the table.
     * @throws IllegalArgumentException if there is no such region.
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

    /** Returns the number of times that a region was added, replaced or revoked. */
    public int epoch()
    {
        return epoch;
    }

    /** Returns the region with an id, or null if there is none or it was revoked. */
    public Region region(final int regionId)
    {
        final RegionGate gate = regionId > 0 && regionId < gates.length ? gates[regionId] : null;
        return gate == null || gate.isRevoked() ? null : gate.region();
    }

    /** Returns all regions that are not revoked, in the order in which they were added. */
    public List<Region> regions()
    {
        return List.copyOf(regions);
    }

    /**
     * Checks whether an access would be admitted.
     *
     * @param access        bits of {@link RegionAccess}, all of which are required.
     * @param remoteAddress of the first byte, any.
     * @param key           of the access.
     * @param sourceIpv4    of the access.
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
     * Stores bytes if the access is admitted. The last aligned 8 bytes are stored last, or the last 4, 2 or 1 if the
     * bytes end on such an alignment. A thread that reads this unit with acquire semantics also sees all other bytes.
     * Only the unit becomes visible at once.
     *
     * @param remoteAddress of the first byte, any.
     * @param key           of the access.
     * @param sourceIpv4    of the access.
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
     * Loads bytes, or zeros if the access is not admitted.
     *
     * @param remoteAddress      of the first byte, any.
     * @param key                of the access.
     * @param sourceIpv4         of the access.
     * @param destinationAddress of space for {@code length} bytes.
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
     * Changes a number of 4 or 8 bytes in native byte order atomically, if the access is admitted. {@link #lastValue()}
     * then returns its previous value.
     *
     * @param operation     of {@link AtomicOperation}.
     * @param remoteAddress of the first byte, any.
     * @param key           of the access.
     * @param sourceIpv4    of the access.
     * @param operand       to add or store; its low 32 bits with a width of 4.
     * @param compare       expected value of {@link AtomicOperation#COMPARE_SWAP}.
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

    /** Returns the value before the last {@link #atomic}, zero-extended, or 0 if it was not admitted. */
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
