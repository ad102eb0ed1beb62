package org.fibnuma.fibnic.control;

import org.fibnuma.core.Require;
import org.fibnuma.core.kernel.HostRestriction;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The documents have every kind of restriction of the host, and no other. */
class HostPolicyDocumentTest
{
    private static final List<String> KINDS = Stream.of(HostRestriction.Kind.values())
        .map(kind -> kind.name().toLowerCase(Locale.ROOT).replace('_', '-')).toList();

    @Test
    void shouldHaveEveryKindInTheGuide() throws IOException
    {
        final List<String> lines = Files.readAllLines(Require.projectDirectory().resolve("docs/host-policy.md"));
        final int header = lines.indexOf("| kind | the host has | at the start the router |");
        assertEquals(KINDS, lines.stream().skip(header + 2).takeWhile(line -> line.startsWith("|"))
            .map(line -> line.split("\\|")[1].trim()).filter(kind -> !kind.isEmpty())
            .map(kind -> kind.replace("`", "")).toList());
    }

    @Test
    void shouldHaveEveryKindInTheReferenceOfJson() throws IOException
    {
        final String line = Files.readAllLines(Require.projectDirectory().resolve("docs/json.md")).stream()
            .filter(each -> each.startsWith("| `restrictions[].kind` |")).findFirst().orElseThrow();
        assertEquals(KINDS, Pattern.compile("`([a-z-]+)`").matcher(line).results()
            .map(result -> result.group(1)).toList());
    }
}
