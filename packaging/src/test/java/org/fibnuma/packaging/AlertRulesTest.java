package org.fibnuma.packaging;

import org.fibnuma.core.Require;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Prometheus's own tool evaluates the alert rules of the router over series of an hour. */
class AlertRulesTest
{
    @Test
    void shouldFireWhenTheyShould() throws Exception
    {
        Require.program("promtool", "prometheus");
        final Process promtool = new ProcessBuilder("promtool", "test", "rules", "fibnuma-alerts-test.yml")
            .directory(Path.of("src/test/resources").toFile()).redirectErrorStream(true).start();
        final String output = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, promtool.waitFor(), output);
    }
}
