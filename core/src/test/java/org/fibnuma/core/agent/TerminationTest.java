package org.fibnuma.core.agent;

import org.fibnuma.core.ChildJvm;
import org.junit.jupiter.api.Test;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TerminationTest
{
    private static final int PATIENCE_SECONDS = 60;

    @Test
    void shouldReportTheSignalAndEndWithStatusZero() throws IOException, InterruptedException
    {
        final Process child = ChildJvm.start(Waiting.class);
        try (BufferedReader lines = new BufferedReader(
            new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8)))
        {
            assertEquals("no signal", lines.readLine());
            assertEquals("0", lines.readLine());
            child.toHandle().destroy();
            assertEquals("SIGTERM", lines.readLine());
            assertTrue(Long.parseLong(lines.readLine()) > 0);
            assertTrue(child.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS));
            assertEquals(0, child.exitValue());
        }
        finally
        {
            child.destroyForcibly();
        }
    }

    /** Prints the signal and the nanoseconds since then, before and after it has arrived. */
    static final class Waiting
    {
        private Waiting()
        {
        }

        public static void main(final String[] args) throws InterruptedException
        {
            try (Termination termination = new Termination())
            {
                System.out.println(termination.signal());
                System.out.println(termination.nanosSinceRequest());
                termination.await(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
                System.out.println(termination.signal());
                System.out.println(termination.nanosSinceRequest());
            }
        }
    }
}
