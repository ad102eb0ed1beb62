package org.fibnuma.fibnic.fate;

import org.fibnuma.core.Require;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The texts of the reasons, and the document that has them all. */
class DropReasonTest
{
    private static final Pattern QUOTED = Pattern.compile("\"([^\"]+)\"");
    /** Sentences of more words have to be read twice. */
    private static final int MAX_WORDS = 30;

    @Test
    void shouldHaveItsPositionAsId()
    {
        for (final DropReason reason : DropReason.values())
        {
            assertEquals(reason.ordinal(), reason.id(), reason.label());
            assertEquals(reason, DropReason.of(reason.id()));
        }
    }

    @Test
    void shouldSayInShortSentencesWhatItMeansAndWhatToDo()
    {
        for (final DropReason reason : DropReason.values())
        {
            for (final String text : List.of(reason.meaning(), reason.remedy()))
            {
                assertTrue(text.matches("[A-Z].*\\.") && !text.contains("  "), text);
                for (final String sentence : text.split("[.;:] "))
                {
                    assertTrue(sentence.split(" ").length <= MAX_WORDS, sentence);
                }
            }
            assertTrue(!reason.meaning().contains(". "), reason.meaning());
            assertTrue(QUOTED.matcher(reason.remedy()).find(), reason.remedy());
        }
    }

    /** What is quoted is a command, a key of the configuration, or a setting of the host that a document describes. */
    @Test
    void shouldQuoteCommandsAndKeysThatExist() throws IOException
    {
        final Path documents = Require.projectDirectory().resolve("docs");
        final String described = Files.readString(documents.resolve("configuration.md")) +
            Files.readString(documents.resolve("host-policy.md"));
        final List<String> unknown = new ArrayList<>();
        for (final DropReason reason : DropReason.values())
        {
            QUOTED.matcher(reason.meaning() + " " + reason.remedy()).results().map(quoted -> quoted.group(1))
                .filter(quoted -> !quoted.matches("(fibnuma|ip) .*") && !described.contains("`" + quoted + "`"))
                .forEach(unknown::add);
        }
        assertEquals(List.of(), unknown);
    }

    /** docs/drops.md is what this test writes; after a change copy it from there. */
    @Test
    void shouldBeDescribedInTheDocument() throws IOException
    {
        final StringBuilder text = new StringBuilder(String.join("\n",
            "# Why the router drops frames",
            "",
            "`fibnuma show drops` has the count of each reason, in total and for each port; so has the live page.",
            "The metric `fibnuma_dropped_packets_total` has the reason as a label. All this is generated from " +
                "`DropReason`.",
            "",
            "| reason | meaning | what to do |",
            "|---|---|---|",
            ""));
        for (final DropReason reason : DropReason.values())
        {
            text.append(String.format("| `%s` | %s | %s |\n",
                reason.label(), markdown(reason.meaning()), markdown(reason.remedy())));
        }
        final Path written = Files.writeString(Path.of("target", "drops.md"), text);
        assertEquals(text.toString(), Files.readString(Require.projectDirectory().resolve("docs/drops.md")),
            "copy " + written.toAbsolutePath() + " to docs");
    }

    private static String markdown(final String text)
    {
        return QUOTED.matcher(text).replaceAll("`$1`");
    }
}
