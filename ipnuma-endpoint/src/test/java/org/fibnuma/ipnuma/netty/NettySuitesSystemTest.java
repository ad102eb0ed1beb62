package org.fibnuma.ipnuma.netty;

import org.fibnuma.core.Require;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

/**
 * Netty's test suite over other ports than in the unit tests: between two network namespaces, over AF_XDP, and between
 * endpoints that share memory. A launcher of its own runs its classes: Failsafe would compare the names of these nested
 * classes, which are those of the unit tests, with its pattern.
 */
@Timeout(900)
@Tag("slow")
class NettySuitesSystemTest
{
    private final Launcher launcher = LauncherFactory.create();

    @ParameterizedTest
    @ValueSource(classes = {NettySuiteOverXdp.class, NettyTlsSuiteOverXdp.class})
    void shouldPassBetweenNamespaces(final Class<?> suite)
    {
        Require.root();
        Require.program("ip", "iproute2");
        assertPasses(suite);
    }

    @Test
    void shouldPassOverSharedMemory()
    {
        assertPasses(NettySuiteOverShm.class);
    }

    /** Every method of the suite of the unit tests, which is the superclass, passes here too. */
    private void assertPasses(final Class<?> suite)
    {
        final Set<TestSource> methods = new HashSet<>();
        launcher.discover(request(suite.getSuperclass())).accept(new TestPlan.Visitor()
        {
            @Override
            public void visit(final TestIdentifier identifier)
            {
                identifier.getSource().filter(MethodSource.class::isInstance).ifPresent(methods::add);
            }
        });
        final Results results = new Results();
        launcher.execute(request(suite), results);
        assertEquals(List.of(), results.problems);
        assertFalse(methods.isEmpty());
        assertEquals(methods, results.passed);
    }

    private static LauncherDiscoveryRequest request(final Class<?> suite)
    {
        return LauncherDiscoveryRequestBuilder.request().selectors(selectClass(suite)).build();
    }

    private static final class Results implements TestExecutionListener
    {
        private final Set<TestSource> passed = new HashSet<>();
        private final List<String> problems = new ArrayList<>();

        @Override
        public void executionFinished(final TestIdentifier identifier, final TestExecutionResult result)
        {
            if (result.getStatus() == TestExecutionResult.Status.SUCCESSFUL)
            {
                identifier.getSource().filter(MethodSource.class::isInstance).ifPresent(passed::add);
            }
            else
            {
                final StringWriter text = new StringWriter();
                result.getThrowable().ifPresent(problem -> problem.printStackTrace(new PrintWriter(text)));
                problems.add(identifier.getUniqueId() + ": " + result.getStatus() + " " + text);
            }
        }

        @Override
        public void executionSkipped(final TestIdentifier identifier, final String reason)
        {
            problems.add(identifier.getUniqueId() + ": skipped, " + reason);
        }
    }
}
