package org.fibnuma.fabric.sonic;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.UserException;
import org.fibnuma.fabric.topology.TextFile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The tables of a {@code config_db.json}: an object of tables, each an object of entries, each an object of fields. The
 * parts of a key are separated by {@code |}. Names and types are those of SONiC's YANG models and of its
 * Configuration.md. A value of another type or out of range is a UserException that names file, table and key.
 */
final class ConfigDatabase
{
    /** A larger file is not a switch configuration: those of 512 ports have less than 4 MiB. */
    static final long MAX_BYTES = 32L << 20;

    private final String file;
    private final ObjectNode root;

    /** Uses tables that are in memory. The file starts the messages of faults. */
    ConfigDatabase(final String file, final ObjectNode root)
    {
        this.file = file;
        this.root = root;
    }

    /** Reads a file of at most {@value #MAX_BYTES} bytes. */
    static ConfigDatabase read(final Path file)
    {
        try
        {
            if (Files.size(file) > MAX_BYTES)
            {
                throw UserException.usage(file + ": has more than " + (MAX_BYTES >> 20) +
                    " MiB; is this the config_db.json of a switch?");
            }
            final JsonNode root = new ObjectMapper()
                .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .readTree(Files.readAllBytes(file));
            if (!(root instanceof ObjectNode))
            {
                throw UserException.usage(file + ":1: is not an object of tables; use a switch's config_db.json");
            }
            return new ConfigDatabase(file.toString(), (ObjectNode)root);
        }
        catch (final JsonProcessingException ex)
        {
            throw TextFile.notJson(file.toString(), ex);
        }
        catch (final IOException ex)
        {
            throw TextFile.unreadable(file, ex);
        }
    }

    /** {@return the tables; not to be changed} */
    ObjectNode root()
    {
        return root;
    }

    String file()
    {
        return file;
    }

    /** {@return the entries of a table by key, in the order of the file; empty if there is no such table} */
    Map<String, JsonNode> entries(final String table)
    {
        final JsonNode entries = root.path(table);
        final Map<String, JsonNode> result = new LinkedHashMap<>();
        if (!entries.isMissingNode() && !entries.isObject())
        {
            throw UserException.usage(file + ": " + table + " is not an object");
        }
        for (final Map.Entry<String, JsonNode> entry : entries.properties())
        {
            if (!entry.getValue().isObject())
            {
                throw fault(table, entry.getKey(), "is not an object");
            }
            result.put(entry.getKey(), entry.getValue());
        }
        return result;
    }

    /** {@return an entry; a missing node if there is none} */
    JsonNode entry(final String table, final String key)
    {
        final JsonNode entry = root.path(table).path(key);
        if (!entry.isMissingNode() && !entry.isObject())
        {
            throw fault(table, key, "is not an object");
        }
        return entry;
    }

    /** {@return the text of a field; null if the entry or the field does not exist} */
    String text(final String table, final String key, final String field)
    {
        final JsonNode value = entry(table, key).path(field);
        if (value.isMissingNode())
        {
            return null;
        }
        if (!value.isValueNode() || value.isNull())
        {
            throw fault(table, key, field + " is not a text");
        }
        return value.asText().strip();
    }

    /**
     * Returns a field that is a whole number from min to max, or {@code other} if the entry or the field does not
     * exist.
     */
    long number(
        final String table, final String key, final String field, final long other, final long min, final long max)
    {
        final String text = text(table, key, field);
        if (text == null)
        {
            return other;
        }
        if (text.matches("-?\\d{1,18}") && Long.parseLong(text) >= min && Long.parseLong(text) <= max)
        {
            return Long.parseLong(text);
        }
        throw fault(table, key, field + " \"" + shortened(text) + "\" is not a whole number in " + min + " to " + max);
    }

    /**
     * Returns the entry of another table that a field names, as {@code NAME} or, before release 202111, as
     * {@code [TABLE|NAME]}; null if the field does not exist.
     */
    String reference(final String table, final String key, final String field)
    {
        final String text = text(table, key, field);
        return text != null && text.startsWith("[") && text.endsWith("]") ?
            text.substring(text.indexOf('|') + 1, text.length() - 1) : text;
    }

    /** {@return an exception for a fault of an entry, to be thrown} */
    UserException fault(final String table, final String key, final String problem)
    {
        return UserException.usage(file + ": " + table + "|" + shortened(key) + ": " + problem);
    }

    /** Returns a text of at most 80 characters in one line. */
    private static String shortened(final String text)
    {
        final String line = text.replaceAll("\\s+", " ");
        return line.length() <= 80 ? line : line.substring(0, 80) + "...";
    }
}
