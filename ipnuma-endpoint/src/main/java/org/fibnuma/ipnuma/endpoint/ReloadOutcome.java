package org.fibnuma.ipnuma.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * The file with the outcome of an endpoint's last reload, in the directory of the endpoint. Its JSON has {@code
 * number}, {@code changes} and {@code error}. {@code number} starts at 0 and grows by 1 with each reload. {@code
 * changes} has a line for each change. {@code error} is empty, or one line with the reason why nothing has changed. The
 * file exists while the endpoint can be reloaded.
 */
public final class ReloadOutcome
{
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path file;

    /** Creates the path of the file in the directory of an endpoint. */
    public ReloadOutcome(final Path directory)
    {
        this.file = directory.resolve("reload");
    }

    /** Returns the path of the file. */
    public Path file()
    {
        return file;
    }

    /** Replaces the file atomically. */
    void write(final long number, final List<String> changes, final String error) throws IOException
    {
        final ObjectNode outcome = JsonNodeFactory.instance.objectNode().put("number", number).put("error", error);
        outcome.putArray("changes");
        changes.forEach(outcome.withArray("changes")::add);
        final Path next = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(next, outcome.toString());
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /**
     * Reads the file. Any process with the permission may call this.
     *
     * @return {@code number}, {@code changes} and {@code error}.
     * @throws IOException if there is no such file or it cannot be read.
     */
    public JsonNode read() throws IOException
    {
        return JSON.readTree(file.toFile());
    }

    void delete()
    {
        file.toFile().delete();
    }
}
