package org.fibnuma.ipnuma.naming.etcd;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.service.config.ConfigName;
import org.fibnuma.core.service.config.SocketAddressText;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RegionAccess;
import org.fibnuma.ipnuma.table.RemoteAddress;

import java.util.ArrayList;
import java.util.List;

/**
 * Entry of an endpoint in the directory. It contains no keys: clients get them from the endpoint's name server, over
 * TLS.
 *
 * @param name    of the endpoint, by which it is found.
 * @param ipv4    its IPv4 address on the network of the datagrams.
 * @param epoch   of its start, unsigned, different after each start.
 * @param names   its name server as {@code HOST:PORT}, null for none.
 * @param regions of the endpoint, in any order.
 */
public record DirectoryEntry(String name, int ipv4, int epoch, String names, List<PublishedRegion> regions)
{
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String NAME = "name";
    private static final String ADDRESS = "address";
    private static final String EPOCH = "epoch";
    private static final String NAMES = "names";
    private static final String REGIONS = "regions";
    private static final String ID = "id";
    private static final String SIZE = "sizeBytes";
    private static final String ACCESS = "access";

    /**
     * What the directory shows of a region: all but its key and the peers that may access it.
     *
     * @param name   of the region.
     * @param id     1 to 65,535.
     * @param size   in bytes, 1 to 2^32.
     * @param access bits of {@link RegionAccess}.
     */
    public record PublishedRegion(String name, int id, long size, int access)
    {
        static PublishedRegion of(final Region region)
        {
            return new PublishedRegion(region.name(), region.id(), region.length(), region.access());
        }
    }

    /**
     * Returns the entry of an endpoint.
     *
     * @param name    of the endpoint.
     * @param ipv4    its address.
     * @param epoch   of its start.
     * @param names   its name server as {@code HOST:PORT}, null for none.
     * @param regions of its table, whose keys and memory are omitted.
     */
    public static DirectoryEntry of(
        final String name, final int ipv4, final int epoch, final String names, final List<Region> regions)
    {
        return new DirectoryEntry(name, ipv4, epoch, names, regions.stream().map(PublishedRegion::of).toList());
    }

    /** Returns the JSON object that the directory stores and that commands print. */
    public ObjectNode toJson()
    {
        final ObjectNode json = JSON.createObjectNode()
            .put(NAME, name)
            .put(ADDRESS, Ipv4Address.format(ipv4))
            .put(EPOCH, Integer.toUnsignedLong(epoch))
            .put(NAMES, names);
        final ArrayNode list = json.putArray(REGIONS);
        for (final PublishedRegion region : regions)
        {
            list.addObject()
                .put(NAME, region.name())
                .put(ID, region.id())
                .put(SIZE, region.size())
                .put(ACCESS, RegionAccess.format(region.access()));
        }
        return json;
    }

    /**
     * Parses an entry of the directory, which any program may have written.
     *
     * @param text any.
     * @return the entry. All its texts are printable.
     * @throws IllegalArgumentException with the reason if the text is not an entry.
     */
    static DirectoryEntry parse(final String text)
    {
        final JsonNode json;
        try
        {
            json = JSON.readTree(text);
        }
        catch (final JsonProcessingException ex)
        {
            throw new IllegalArgumentException("it is not JSON", ex);
        }
        final List<PublishedRegion> regions = new ArrayList<>();
        for (final JsonNode region : json.path(REGIONS))
        {
            regions.add(region(region));
        }
        final String names = json.path(NAMES).asText("");
        if (!names.isEmpty() && !json.path(NAMES).isNull())
        {
            SocketAddressText.parseUnresolved(names);
        }
        return new DirectoryEntry(
            ConfigName.parse(json.path(NAME).asText()), Ipv4Address.parse(json.path(ADDRESS).asText()),
            (int)json.path(EPOCH).asLong(), json.path(NAMES).isTextual() ? names : null, List.copyOf(regions));
    }

    private static PublishedRegion region(final JsonNode json)
    {
        final int id = json.path(ID).asInt();
        final long size = json.path(SIZE).asLong();
        if (id < 1 || id > RemoteAddress.MAX_REGION_ID || size < 1 || size > Region.MAX_LENGTH)
        {
            throw new IllegalArgumentException("a region has an id or a size out of range");
        }
        return new PublishedRegion(
            ConfigName.parse(json.path(NAME).asText()), id, size, RegionAccess.parse(json.path(ACCESS).asText()));
    }
}
