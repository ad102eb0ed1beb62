package org.fibnuma.binding.libc;

import org.fibnuma.core.UserException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Directories of /proc, where no file can be created, in place of a read-only /tmp. */
class ExtractDirectoryTest
{
    private static final Path READ_ONLY = Path.of("/proc/self");

    @Test
    void shouldTakeTheFirstThatMayHoldPrograms(@TempDir final Path directory) throws IOException
    {
        assertEquals(directory, ExtractDirectory.firstOf(List.of(READ_ONLY, directory)));
        assertEquals(0, Files.list(directory).count(), "leaves its probe");
    }

    @Test
    void shouldSayInOneLineWhereThereIsNone()
    {
        final UserException refusal =
            assertThrows(UserException.class, () -> ExtractDirectory.firstOf(List.of(READ_ONLY, Path.of("/none"))));
        assertEquals("native calls need a directory that may be written and is not mounted noexec; none of " +
            "/proc/self, /none is: give one by FIBNUMA_JAVA_OPTS=-Djffi.extract.dir=DIRECTORY", refusal.getMessage());
    }

    @Test
    void shouldLoadWhereNeitherTemporaryNorCurrentDirectoryCanBeWritten() throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(flag -> flag.startsWith("--add") ||
                flag.startsWith("--enable-native-access")).forEach(command::add);
        command.addAll(List.of("-Djava.io.tmpdir=" + READ_ONLY, "-cp", System.getProperty("java.class.path"),
            ProcessNumber.class.getName()));
        final Process process = new ProcessBuilder(command).directory(READ_ONLY.toFile())
            .redirectErrorStream(true).start();
        final String output;
        try (InputStream stream = process.getInputStream())
        {
            output = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
        assertEquals(0, process.waitFor(), output);
        assertEquals("loaded", output.strip());
    }

    /** Makes one native call. */
    static final class ProcessNumber
    {
        private ProcessNumber()
        {
        }

        public static void main(final String[] arguments)
        {
            System.out.println(LibC.get().if_nametoindex("lo") > 0 ? "loaded" : "no answer");
        }
    }
}
