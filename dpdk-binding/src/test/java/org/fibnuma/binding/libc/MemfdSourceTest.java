package org.fibnuma.binding.libc;

import org.fibnuma.core.memory.SealedFile;
import org.fibnuma.core.memory.SealedFileSource;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class MemfdSourceTest
{
    @Test
    void shouldMakeFilesThatKeepTheirLength() throws IOException
    {
        final int length = 3 * 4096;
        final Path path;
        try (SealedFile file = SealedFileSource.load().create("test", length))
        {
            assumeTrue(file != null, "needs root or a process without capabilities");
            path = file.path();
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
            try (FileChannel channel = FileChannel.open(path, READ, WRITE))
            {
                final MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, length);
                assertEquals(0, mapped.getLong(length - 8));
                mapped.putLong(length - 8, 7);
                assertThrows(IOException.class, () -> channel.truncate(4096));
                assertThrows(IOException.class, () -> channel.write(mapped.duplicate().position(0).limit(1), length));
                assertEquals(length, channel.size());
                assertEquals(7, mapped.getLong(length - 8));
            }
        }
        assertFalse(Files.exists(path));
    }
}
