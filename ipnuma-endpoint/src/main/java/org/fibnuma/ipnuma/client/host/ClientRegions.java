package org.fibnuma.ipnuma.client.host;

import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.ipnuma.client.ClientStatus;
import org.fibnuma.ipnuma.memory.RegionFile;
import org.fibnuma.ipnuma.memory.RegionRequest;
import org.fibnuma.ipnuma.memory.RegionStore;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RegionTable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Regions that clients have added. They are revoked with their client. For the endpoint's thread. Methods may allocate,
 * since only control requests call them.
 */
final class ClientRegions
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ClientRegions.class);
    private static final int FIRST_ID = 0x8000;
    private static final int LAST_ID = 0xFFFF;

    private record Owned(int owner, RegionFile file)
    {
    }

    private final RegionStore store;
    private final RegionTable table;
    private final RegionList list;
    private final long maxBytes;
    private final List<Owned> owned = new ArrayList<>();
    private long bytes;
    private int nextId = FIRST_ID;
    private Region lastAdded;

    ClientRegions(final RegionStore store, final RegionTable table, final RegionList list, final long maxBytes)
    {
        this.store = store;
        this.table = table;
        this.list = list;
        this.maxBytes = maxBytes;
    }

    /** Adds a region. Returns a {@link ClientStatus}. If it is OK, {@link #lastAdded} is the region. */
    int add(final int owner, final String name, final long size, final int access, final String allow)
    {
        if (!RegionRequest.isName(name) || !RegionRequest.isSize(size))
        {
            return ClientStatus.BAD_REQUEST;
        }
        if (table.regions().stream().anyMatch(region -> region.name().equals(name)))
        {
            return ClientStatus.NAME_TAKEN;
        }
        final int id = freeId();
        if (id == 0 || bytes + size > maxBytes || !list.hasRoom(store.fileOf(name).toString()))
        {
            return ClientStatus.NO_ROOM;
        }
        try
        {
            final List<Ipv4Prefix> prefixes = Arrays.stream(allow.split(",")).map(Ipv4Prefix::parse).toList();
            open(owner, new RegionRequest(name, id, size, access), prefixes);
            return ClientStatus.OK;
        }
        catch (final IllegalArgumentException ignore)
        {
            return ClientStatus.BAD_REQUEST;
        }
        catch (final UserException ex)
        {
            LOGGER.warn("client region: {}", ex.getMessage());
            return ClientStatus.NO_ROOM;
        }
    }

    private void open(final int owner, final RegionRequest request, final List<Ipv4Prefix> allow)
    {
        final RegionFile file = store.open(request);
        lastAdded = new Region(request.id(), request.name(), file.mapping().address(), request.size(),
            request.access(), allow, Region.randomKey());
        table.add(lastAdded);
        list.add(file, owner);
        owned.add(new Owned(owner, file));
        bytes += request.size();
    }

    Region lastAdded()
    {
        return lastAdded;
    }

    int remove(final int owner, final int regionId)
    {
        for (final Owned region : owned)
        {
            if (region.owner == owner && region.file.request().id() == regionId)
            {
                revoke(region);
                owned.remove(region);
                return ClientStatus.OK;
            }
        }
        return ClientStatus.NOT_YOURS;
    }

    /** Revokes all regions of a client and returns their number. */
    int revokeOf(final int owner)
    {
        final List<Owned> gone = owned.stream().filter(region -> region.owner == owner).toList();
        gone.forEach(this::revoke);
        owned.removeAll(gone);
        return gone.size();
    }

    void revokeAll()
    {
        owned.forEach(this::revoke);
        owned.clear();
    }

    private void revoke(final Owned region)
    {
        final int id = region.file.request().id();
        bytes -= region.file.request().size();
        // Revoked in the table first, because the memory is unmapped with the file.
        table.revoke(id);
        list.revoke(id);
        try
        {
            region.file.revoke();
        }
        catch (final UserException ex)
        {
            LOGGER.warn("client region: {}", ex.getMessage());
        }
    }

    /**
     * Returns the id that has been unused longest. A late write then addresses a revoked region rather than a new one.
     */
    private int freeId()
    {
        for (int i = FIRST_ID; i <= LAST_ID; i++)
        {
            final int id = nextId;
            nextId = id == LAST_ID ? FIRST_ID : id + 1;
            if (table.region(id) == null)
            {
                return id;
            }
        }
        return 0;
    }
}
