package org.fibnuma.fibnic.command;

import org.fibnuma.core.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Standard output holds results and nothing else, whatever the log has to say about itself. */
@Timeout(60)
class StandardOutputTest
{
    @TempDir
    private Path staleClasses;

    @Test
    void shouldKeepTheLogsOwnWarningsFromStandardOutput() throws IOException, InterruptedException
    {
        final Path serviceFile = staleClasses.resolve(LoggingProgram.SERVICE_FILE);
        Files.createDirectories(serviceFile.getParent());
        try (InputStream service = getClass().getClassLoader().getResourceAsStream(LoggingProgram.SERVICE_FILE))
        {
            Files.copy(service, serviceFile);
        }
        final Process process = ChildJvm.startWith(staleClasses, LoggingProgram.class);
        try (InputStream out = process.getInputStream())
        {
            assertEquals("2", new String(out.readAllBytes(), StandardCharsets.UTF_8).strip());
            assertEquals(0, process.waitFor());
        }
        finally
        {
            process.destroyForcibly();
        }
    }
}
