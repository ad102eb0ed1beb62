package org.fibnuma.fibnic.control;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.UserException;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.Reattachable;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A port "left" that takes a step with each call, and a port "right" of a kind that stays. */
class PortChangesTest
{
    private final ReaderEpochs epochs = new ReaderEpochs();
    private final ReaderEpochs.Reader worker = epochs.register();
    private final List<String> answers = new ArrayList<>();
    private final List<String> events = new ArrayList<>();
    private boolean detached;
    private int stepsToGo;
    private boolean isInterfaceThere = true;
    private String refusal;
    private final PortChanges changes = new PortChanges(
        List.of(port("left", true), port("right", false)), epochs,
        (port, carried) -> events.add(port + (carried ? " carried" : " not carried")));

    @Test
    void shouldDetachWhenNoWorkerChoosesThePortAnyMore()
    {
        changes.remove("left", this::onAnswer);
        epochs.reclaim();
        changes.poll();
        assertEquals(List.of("0 not carried"), events);
        assertFalse(detached, "a worker is in the duty cycle that it was in");
        worker.quiesce();
        epochs.reclaim();
        assertTrue(detached);
        assertEquals(0, changes.poll());
        assertEquals(List.of(), answers, "it has steps to go");
        assertEquals(1, changes.poll());
        assertEquals(List.of("{\"port\":\"left\",\"device\":\"xdp:r0\",\"change\":\"removed\"}"), answers);
    }

    @Test
    void shouldAddAPortThatWasRemoved()
    {
        remove();
        changes.add("left", this::onAnswer);
        assertEquals(0, changes.poll());
        assertEquals(1, changes.poll());
        assertEquals(List.of("0 not carried", "0 carried"), events);
        assertEquals(List.of("{\"port\":\"left\",\"device\":\"xdp:r0\",\"change\":\"added\"}"), answers);
        assertFalse(detached);
    }

    @Test
    void shouldStayRemovedWhereItsInterfaceIsMissing()
    {
        remove();
        isInterfaceThere = false;
        changes.add("left", this::onAnswer);
        assertEquals(List.of("{\"error\":\"no interface\"}"), answers);
        assertTrue(detached);
        assertEquals(0, changes.poll());
    }

    @Test
    void shouldStayRemovedWhereItsInterfaceIsRefused()
    {
        remove();
        refusal = "the interface is down";
        changes.add("left", this::onAnswer);
        changes.poll();
        changes.poll();
        assertEquals(List.of("{\"error\":\"the interface is down\"}"), answers);
        assertTrue(detached);
        assertEquals(List.of("0 not carried"), events);
    }

    @Test
    void shouldRefuseWhatCannotBeChangedWithOneLine()
    {
        changes.remove("top", this::onAnswer);
        changes.remove("right", this::onAnswer);
        changes.add("left", this::onAnswer);
        final List<JsonNode> later = new ArrayList<>();
        changes.remove("left", later::add);
        changes.remove("left", this::onAnswer);
        assertEquals(List.of(
            "{\"error\":\"there is no port \\\"top\\\"; the ports are left, right\"}",
            "{\"error\":\"port right (xdp:r0): a port of this kind stays while the router runs; xdp: ports can be " +
                "removed and added\"}",
            "{\"error\":\"port left is not removed; show ports lists the ports\"}",
            "{\"error\":\"port left is being changed; ask again\"}"), answers);
        assertEquals(List.of("0 not carried"), events);
        assertEquals(List.of(), later);
    }

    @Test
    void shouldSayThatAPortIsRemovedAlready()
    {
        remove();
        changes.remove("left", this::onAnswer);
        assertEquals(List.of("{\"error\":\"port left is removed already; port add left adds it again\"}"), answers);
    }

    private void remove()
    {
        changes.remove("left", this::onAnswer);
        worker.quiesce();
        epochs.reclaim();
        changes.poll();
        changes.poll();
        answers.clear();
    }

    private void onAnswer(final JsonNode answer)
    {
        answers.add(answer.toString());
    }

    private Port port(final String name, final boolean isReattachable)
    {
        return (Port)Proxy.newProxyInstance(
            Port.class.getClassLoader(), new Class<?>[]{Port.class, Reattachable.class},
            (proxy, method, arguments) -> switch (method.getName())
            {
                case "name" -> name;
                case "device" -> "xdp:r0";
                case "capability" -> isReattachable ? Optional.of(proxy) : Optional.empty();
                case "detach" -> onDetach();
                case "attach" -> onAttach();
                case "isDetached" -> detached;
                case "isAway" -> detached && stepsToGo == 0;
                case "reattach" -> onStep();
                default -> throw new AssertionError(method);
            });
    }

    private Object onDetach()
    {
        detached = true;
        stepsToGo = 2;
        return null;
    }

    private Object onAttach()
    {
        if (!isInterfaceThere)
        {
            throw new UserException("no interface");
        }
        detached = false;
        stepsToGo = 2;
        return null;
    }

    private boolean onStep()
    {
        stepsToGo = Math.max(0, stepsToGo - 1);
        if (!detached && stepsToGo == 0 && refusal != null)
        {
            throw new UserException(refusal);
        }
        return !detached && stepsToGo == 0;
    }
}
