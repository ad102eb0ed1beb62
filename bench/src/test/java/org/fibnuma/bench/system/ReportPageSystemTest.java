package org.fibnuma.bench.system;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.bench.lab.CommandRun;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.core.service.netns.Host;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Some figures of the report, measured, and the page in a browser without a network. */
@NamespaceTest({"chromium", "chromedriver"})
@Timeout(600)
class ReportPageSystemTest
{
    private static final List<String> FIGURES =
        List.of("thesis-5.5", "thesis-5.7", "turns-21", "turns-22-inside", "dcqcn-thresholds");

    @TempDir
    private Path directory;

    @Test
    void shouldMeasureAndShowFigures() throws IOException
    {
        final Path report = directory.resolve("report");
        CommandRun.bench("report", "--quick", "--figures", String.join(",", FIGURES), "-o", report.toString(), "--json")
            .json();
        final JsonNode json = new ObjectMapper().readTree(report.resolve("report.json").toFile());
        assertEquals(FIGURES, json.path("figures").findValuesAsText("id"));
        for (final JsonNode figure : json.path("figures"))
        {
            assertFalse(figure.has("missing") || figure.path("ours").isEmpty(), figure::toString);
            assertTrue(figure.path("command").asText().startsWith("./fibnuma "), figure::toString);
        }
        assertTrue(json.at("/machine/processor").isTextual() && json.path("version").isTextual() &&
            json.path("seconds").asDouble() > 0, json::toString);
        assertEquals("[1064,1064,null,null]", json.at("/figures/0/paper/0/values").toString());
        assertTrue(json.at("/figures/0/ours/0/values/3").asDouble() > 0, json::toString);
        assertEquals(66.7, json.at("/figures/1/ours/0/values/0").asDouble(), 0.1);
        assertEquals("[1,0]", json.at("/figures/4/ours/0/values").toString());
        assertTrue(Files.readString(report.resolve("report.md"))
            .contains("| paper | FIBNIC | 1,064 | 1,064 | - | - |"));
        show(report);
    }

    private void show(final Path report) throws IOException
    {
        try (Host host = Host.open("page"); PageBrowser browser = new PageBrowser(host, directory))
        {
            for (final String scheme : List.of("light", "dark"))
            {
                browser.scheme(scheme);
                for (final int width : new int[] {390, 1280})
                {
                    browser.size(width, 800);
                    browser.open(report.resolve("index.html").toUri().toString());
                    assertEquals(0L, browser.run("const page = document.documentElement;" +
                        "return Math.max(0, page.scrollWidth - page.clientWidth)"), scheme + " " + width);
                    assertEquals(true, browser.run("return [...document.images].every(image => image.naturalWidth > " +
                        "0)"));
                    assertEquals(scheme.equals("dark"),
                        browser.run("return document.images[0].currentSrc.endsWith('-dark.svg')"));
                }
            }
            assertEquals(FIGURES.size(), browser.count("section"));
            browser.writeScreenshots("report");
            assertEquals(List.of(), browser.newErrors());
            browser.requests().forEach(url -> assertTrue(url.startsWith("file:") || url.startsWith("data:"), url));
            assertFalse(browser.has("script"));
        }
    }
}
