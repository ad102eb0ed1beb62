package org.fibnuma.core.service.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * File of the values that a process has changed: a line for the process, then a line for each value.
 *
 * @param owner  process that makes the changes.
 * @param values current changes, the oldest first.
 */
record ChangeRecord(ProcessIdentity owner, List<InterfaceValue> values)
{
    static final String SUFFIX = ".changes";

    private static final String MAGIC = "fibnuma-changes-1";
    private static final String SEPARATOR = "\t";
    private static final int OWNER_FIELDS = 4;

    /**
     * Reads a file.
     *
     * @throws IOException if it cannot be read.
     * @throws IllegalArgumentException if it is not a record of changes.
     */
    static ChangeRecord read(final Path file) throws IOException
    {
        final List<String> lines = Files.readAllLines(file);
        final String[] owner = lines.isEmpty() ? new String[0] : lines.get(0).split(SEPARATOR, -1);
        if (owner.length != OWNER_FIELDS || !MAGIC.equals(owner[0]))
        {
            throw new IllegalArgumentException("not a record of changes");
        }
        return new ChangeRecord(
            new ProcessIdentity(owner[1], Long.parseLong(owner[2]), Long.parseLong(owner[3])),
            lines.subList(1, lines.size()).stream().map(InterfaceValue::parse).toList());
    }

    /** Replaces the file atomically and syncs it to the disk. */
    void write(final Path file) throws IOException
    {
        final List<String> lines = new ArrayList<>();
        lines.add(String.join(
            SEPARATOR, MAGIC, owner.namespace(), Long.toString(owner.pid()), Long.toString(owner.start())));
        values.forEach(value -> lines.add(value.toLine()));
        final ByteBuffer text = StandardCharsets.UTF_8.encode(String.join("\n", lines) + "\n");
        final Path temporary = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel channel = FileChannel.open(
            temporary, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE))
        {
            while (text.hasRemaining())
            {
                channel.write(text);
            }
            channel.force(true);
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel directory = FileChannel.open(file.getParent()))
        {
            directory.force(true);
        }
    }
}
