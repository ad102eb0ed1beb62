package org.fibnuma.ipnuma.naming;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.UserException;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RegionAccess;
import org.fibnuma.ipnuma.table.RemoteAddress;

/**
 * The request and the answer of a lookup. Each is one JSON object and ends with a line feed. The server then closes the
 * connection.
 */
public final class NameProtocol
{
    /** Longest line in either direction, with its end. */
    public static final int MAX_LINE_BYTES = 1024;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String LOOKUP = "lookup";
    private static final String ERROR = "error";
    private static final String LATER = "later";
    private static final String ENDPOINT = "endpoint";
    private static final String EPOCH = "epoch";
    private static final String NAME = "name";
    private static final String ID = "id";
    private static final String SIZE = "sizeBytes";
    private static final String ACCESS = "access";
    private static final String KEY = "key";
    private static final String NO_KEY = "none";
    private static final int HEXADECIMAL = 16;

    private NameProtocol()
    {
    }

    /** Returns the request for a region with its key, without the end of the line. */
    public static String request(final String name)
    {
        return JSON.createObjectNode().put(LOOKUP, name).toString();
    }

    /** Returns the request for a region without its key, without the end of the line. */
    public static String requestWithoutKey(final String name)
    {
        return JSON.createObjectNode().put(LOOKUP, name).put(KEY, false).toString();
    }

    /** Returns whether a valid request includes the key. */
    static boolean wantsKey(final String request)
    {
        return parse(request).path(KEY).asBoolean(true);
    }

    /** Returns the name in a request, or null if the line is not a request. */
    static String requestedName(final String line)
    {
        final JsonNode request = parse(line);
        final JsonNode name = request == null ? null : request.get(LOOKUP);
        return name == null || !name.isTextual() ? null : name.textValue();
    }

    static String answer(final String endpoint, final int epoch, final Region region)
    {
        return describe(endpoint, epoch, region)
            .put(KEY, region.key() == Region.NO_KEY ? NO_KEY : String.format("%016x", region.key())).toString();
    }

    static String answerWithoutKey(final String endpoint, final int epoch, final Region region)
    {
        return describe(endpoint, epoch, region).toString();
    }

    private static ObjectNode describe(final String endpoint, final int epoch, final Region region)
    {
        final ObjectNode answer = JSON.createObjectNode();
        answer.put(ENDPOINT, endpoint);
        answer.put(EPOCH, Integer.toUnsignedLong(epoch));
        answer.put(NAME, region.name());
        answer.put(ID, region.id());
        answer.put(SIZE, region.length());
        answer.put(ACCESS, RegionAccess.format(region.access()));
        return answer;
    }

    /** Returns an answer, without the end of the line, that refuses for now: the client may repeat the request. */
    public static String retryLater(final String message)
    {
        return JSON.createObjectNode().put(ERROR, message).put(LATER, true).toString();
    }

    /** Returns an answer, without the end of the line, that refuses with a message of one line. */
    public static String error(final String message)
    {
        return JSON.createObjectNode().put(ERROR, message).toString();
    }

    /**
     * Parses an answer.
     *
     * @param line    any.
     * @param name    in the request.
     * @param servers address of the server, for messages.
     * @return the region.
     * @throws TransientLookupException if the endpoint refuses for now.
     * @throws UserException   if the endpoint refuses, or the line is not an answer.
     */
    public static NamedRegion region(final String line, final String name, final String servers)
    {
        final JsonNode answer = parse(line);
        if (answer == null)
        {
            throw new UserException(
                servers + " does not answer like an endpoint: check that this is its port of names");
        }
        final JsonNode error = answer.get(ERROR);
        if (error != null)
        {
            final String message = servers + ": " + printable(error.asText());
            throw answer.path(LATER).asBoolean() ?
                new TransientLookupException(message, null) : new UserException(message);
        }
        try
        {
            return region(answer, name);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new UserException(servers + " answers with an invalid region: " + ex.getMessage(), ex);
        }
    }

    private static NamedRegion region(final JsonNode answer, final String name)
    {
        final int id = answer.path(ID).asInt();
        final long size = answer.path(SIZE).asLong();
        require(name.equals(answer.path(NAME).asText()), "another name");
        require(id >= 1 && id <= RemoteAddress.MAX_REGION_ID, "an id out of range");
        require(size >= 1 && size <= Region.MAX_LENGTH, "a size out of range");
        final String key = answer.path(KEY).asText(NO_KEY);
        require(key.equals(NO_KEY) || key.matches("[0-9a-f]{16}"), "a malformed key");
        final int access = RegionAccess.parse(printable(answer.path(ACCESS).asText()));
        return new NamedRegion(printable(answer.path(ENDPOINT).asText()), (int)answer.path(EPOCH).asLong(), name, id,
            size, access, key.equals(NO_KEY) ? Region.NO_KEY : Long.parseUnsignedLong(key, HEXADECIMAL));
    }

    private static void require(final boolean met, final String otherwise)
    {
        if (!met)
        {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /** Replaces the characters of an untrusted text that a terminal might interpret. */
    public static String printable(final String text)
    {
        return text.replaceAll("[^\\x20-\\x7E]", "?");
    }

    private static JsonNode parse(final String line)
    {
        try
        {
            final JsonNode node = JSON.readTree(line);
            return node != null && node.isObject() ? node : null;
        }
        catch (final JsonProcessingException ignore)
        {
            return null;
        }
    }
}
