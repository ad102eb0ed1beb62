package org.fibnuma.core;

import com.fasterxml.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The fields that {@code docs/json.md} lists for one command, and their comparison with what the command prints. The
 * notation of fields is described in that file.
 */
public final class DocumentedJson
{
    private static final String HEADING = "### ";
    private static final Pattern HEAD = Pattern.compile("\\| (?:field|((?:only|if) .+)) \\| type \\| meaning \\|");
    private static final Pattern ROW = Pattern.compile("\\| (`\\S+`(?:, `\\S+`)*) \\| ([^|`]+) \\| (.+) \\|");
    private static final Pattern OPTIONAL = Pattern.compile("(only|if|null unless) .*", Pattern.CASE_INSENSITIVE);
    private static final Pattern FIRST_NAME = Pattern.compile("[^.\\[{]+");

    /** Meanings by field. */
    private final Map<String, String> meanings = new LinkedHashMap<>();
    private final Map<String, String> types = new HashMap<>();
    private final Set<String> printed = new LinkedHashSet<>();
    private final Set<String> problems = new LinkedHashSet<>();

    /**
     * Reads one section.
     *
     * @param lines   of the document.
     * @param command whose section is read, as in its heading: {@code show ports}.
     */
    DocumentedJson(final List<String> lines, final String command)
    {
        final String name = '`' + command + '`';
        boolean isSection = false;
        String condition = "";
        for (final String line : lines)
        {
            isSection = line.startsWith("#") ? line.startsWith(HEADING) && line.contains(name) : isSection;
            final Matcher head = HEAD.matcher(line);
            final Matcher row = ROW.matcher(line);
            if (head.matches())
            {
                condition = head.group(1) == null ? "" : head.group(1) + ": ";
            }
            else if (isSection && row.matches())
            {
                final String[] fields = row.group(1).replace("`", "").split(", ");
                final String[] typeOfEach = row.group(2).split(", ");
                for (int i = 0; i < fields.length; i++)
                {
                    meanings.put(fields[i], condition + row.group(3));
                    types.put(fields[i], typeOfEach.length == 1 ? typeOfEach[0] : typeOfEach[i]);
                }
            }
        }
        if (meanings.isEmpty())
        {
            throw new AssertionError("no fields of \"" + command + "\"");
        }
    }

    /**
     * Compares all that a command prints with its section of {@code docs/json.md}. Fails if a field is printed that
     * the section does not have, if a value is of another type, if null is printed where the meaning does not have the
     * word, or if a field is missing whose table or meaning does not begin with "only", "if" or "null unless".
     *
     * @param command as in the heading of its section: {@code show ports}.
     * @param outputs of the command; together they have every field that is not optional.
     * @throws IOException if the document cannot be read.
     */
    public static void assertMatches(final String command, final JsonNode... outputs) throws IOException
    {
        final Path file = Require.projectDirectory().resolve("docs/json.md");
        final Set<String> problems = new DocumentedJson(Files.readAllLines(file), command).compare(outputs);
        if (!problems.isEmpty())
        {
            throw new AssertionError(file.normalize() + ", " + command + ":\n" + String.join("\n", problems));
        }
    }

    /** Returns a line for each difference. */
    Set<String> compare(final JsonNode... outputs)
    {
        for (final JsonNode output : outputs)
        {
            visit(output, "");
        }
        meanings.forEach((field, meaning) ->
        {
            if (!isOptional(field) && !printed.contains(field))
            {
                problems.add(field + " is not printed");
            }
        });
        return problems;
    }

    private void visit(final JsonNode node, final String field)
    {
        printed.add(field);
        if (node.isObject())
        {
            visitMembers(node, field);
        }
        else if (node.isArray())
        {
            requireAny(field + "[]", node.isEmpty());
            node.forEach(item -> visit(item, field + "[]"));
        }
        else if (!meanings.containsKey(field))
        {
            problems.add(field + " is not documented");
        }
        else if (node.isNull() && !meanings.get(field).contains("null"))
        {
            problems.add(field + " is null, which is not documented");
        }
        else if (!node.isNull() && Arrays.stream(types.get(field).split(" or ")).noneMatch(type -> is(type, node)))
        {
            problems.add(field + " is " + node + " and not " + types.get(field));
        }
    }

    private static boolean is(final String type, final JsonNode node)
    {
        return switch (type)
        {
            case "text" -> node.isTextual();
            case "boolean" -> node.isBoolean();
            default -> type.startsWith("decimal") ? node.isNumber() : node.isIntegralNumber();
        };
    }

    private void visitMembers(final JsonNode object, final String field)
    {
        final String freeKey = freeKeyOf(field);
        if (freeKey != null)
        {
            object.forEach(value -> visit(value, freeKey));
            return;
        }
        final String prefix = field.isEmpty() ? "" : field + '.';
        object.properties().forEach(member -> visit(member.getValue(), prefix + member.getKey()));
        for (final String documented : meanings.keySet())
        {
            if (documented.startsWith(prefix) && !isOptional(documented))
            {
                final Matcher name = FIRST_NAME.matcher(documented).region(prefix.length(), documented.length());
                if (name.lookingAt() && !object.has(name.group()))
                {
                    problems.add(documented + " is missing in " + object);
                }
            }
        }
    }

    /** Returns the notation of the values of a map with free keys, or null if the object has fixed names. */
    private String freeKeyOf(final String field)
    {
        for (final String documented : meanings.keySet())
        {
            if (documented.startsWith(field + '{'))
            {
                return documented.substring(0, documented.indexOf('}', field.length()) + 1);
            }
        }
        return null;
    }

    private void requireAny(final String prefix, final boolean isEmpty)
    {
        if (isEmpty && meanings.keySet().stream().noneMatch(field -> field.startsWith(prefix)))
        {
            problems.add(prefix + " is not documented");
        }
    }

    private boolean isOptional(final String field)
    {
        return OPTIONAL.matcher(meanings.get(field)).matches();
    }
}
