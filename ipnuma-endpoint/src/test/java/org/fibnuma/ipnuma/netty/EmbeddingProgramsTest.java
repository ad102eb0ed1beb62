package org.fibnuma.ipnuma.netty;

import org.fibnuma.core.ChildJvm;
import org.fibnuma.core.Require;
import org.fibnuma.ipnuma.stream.StreamLab;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import javax.tools.ToolProvider;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The complete programs in {@code docs/embedding.md} compile, and run at the two ends of a link. */
@Timeout(120)
class EmbeddingProgramsTest
{
    private static final Pattern PROGRAM =
        Pattern.compile("```java\\n(.*?public final class (\\w+).*?)```", Pattern.DOTALL);

    @TempDir
    private Path directory;

    @Test
    void shouldEchoFromTheProgramOfNettyToTheProgramOfSockets() throws Exception
    {
        assertEquals(List.of("EchoServer", "EchoClient"), compilePrograms());
        try (StreamLab lab = new StreamLab(directory, ""))
        {
            final Process server = ChildJvm.startWith(directory, "EchoServer", lab.endpoint(2));
            try
            {
                assertEquals("ready", firstLine(server.getInputStream()));
                final Process client = ChildJvm.startWith(directory, "EchoClient", lab.endpoint(1), "hello");
                assertEquals("hello", firstLine(client.getInputStream()));
                assertEquals(0, client.waitFor());
            }
            finally
            {
                server.destroyForcibly().waitFor();
            }
        }
    }

    private List<String> compilePrograms() throws IOException
    {
        final List<String> names = new ArrayList<>();
        final List<String> arguments = new ArrayList<>(List.of(
            "-Xlint:all,-path,-classfile", "-Werror", "-proc:none", "--release", "17", "-d", directory.toString(),
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))));
        final Matcher program =
            PROGRAM.matcher(Files.readString(Require.projectDirectory().resolve("docs/embedding.md")));
        while (program.find())
        {
            names.add(program.group(2));
            arguments.add(Files.writeString(
                directory.resolve(program.group(2) + ".java"), program.group(1)).toString());
        }
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(
            null, null, null, arguments.toArray(String[]::new)));
        return names;
    }

    private static String firstLine(final InputStream output) throws IOException
    {
        return new BufferedReader(new InputStreamReader(output, StandardCharsets.UTF_8)).readLine();
    }
}
