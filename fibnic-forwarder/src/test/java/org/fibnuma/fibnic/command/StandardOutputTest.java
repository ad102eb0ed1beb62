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

/** Standard output holds results and nothing else, whatever an older jar on the class path has for the log. */
@Timeout(60)
class StandardOutputTest
{
    private static final String TO_STANDARD_OUTPUT = """
        <configuration debug="true">
          <appender name="STDOUT" class="ch.qos.logback.core.ConsoleAppender">
            <encoder><pattern>%msg%n</pattern></encoder>
          </appender>
          <root level="INFO"><appender-ref ref="STDOUT"/></root>
        </configuration>
        """;

    @TempDir
    private Path staleClasses;

    @Test
    void shouldLogToStandardErrorWhateverIsOnTheClassPath() throws IOException, InterruptedException
    {
        Files.writeString(staleClasses.resolve("logback.xml"), TO_STANDARD_OUTPUT);
        final Process process = ChildJvm.startWith(staleClasses, LoggingProgram.class.getName());
        try (InputStream out = process.getInputStream())
        {
            assertEquals("1", new String(out.readAllBytes(), StandardCharsets.UTF_8).strip());
            assertEquals(0, process.waitFor());
        }
        finally
        {
            process.destroyForcibly();
        }
    }
}
