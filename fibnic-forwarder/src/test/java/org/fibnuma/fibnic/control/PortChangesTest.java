package org.fibnuma.fibnic.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.core.DocumentedJson;
import org.fibnuma.core.UserException;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.Reattachable;
import org.fibnuma.fibnic.config.PortConfig;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.io.IOException;
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
    private String openRefusal;
    private final List<Port> ports = new ArrayList<>(List.of(port("left", true), port("right", false)));
    private final PortPlaces places =
        new PortPlaces(List.of(PortPlacesTest.port("left"), PortPlacesTest.port("right")), 1);
    private final PortChanges changes = new PortChanges(ports, places, epochs, new PortChanges.Tables()
    {
        @Override
        public void carry(final int place, final boolean carried)
        {
            events.add(place + (carried ? " carried" : " not carried"));
        }

        @Override
        public Port open(final int place, final PortConfig config)
        {
            if (openRefusal != null)
            {
                throw new UserException(openRefusal);
            }
            detached = true;
            return port(config.name(), true);
        }

        @Override
        public void take(final int place, final Port port)
        {
            ports.add(place, port);
            events.add(place + " taken");
        }

        @Override
        public void leave(final int place)
        {
            events.add(place + " left");
        }
    });

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
    void shouldAddAPortThatWasRemoved() throws IOException
    {
        remove();
        changes.add("left", this::onAnswer);
        assertEquals(0, changes.poll());
        assertEquals(1, changes.poll());
        assertEquals(List.of("0 not carried", "0 carried"), events);
        assertEquals(List.of("{\"port\":\"left\",\"device\":\"xdp:r0\",\"change\":\"added\"}"), answers);
        DocumentedJson.assertMatches("port add", new ObjectMapper().readTree(answers.get(0)));
        assertFalse(detached);
    }

    @Test
    void shouldStayRemovedWhereItsInterfaceIsMissing()
    {
        remove();
        isInterfaceThere = false;
        changes.add("left", this::onAnswer);
        assertTrue(detached);
        changes.poll();
        changes.poll();
        assertEquals(List.of("{\"error\":\"no interface\"}"), answers);
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
        assertTrue(detached);
        assertEquals(List.of("0 not carried", "0 left"), events);
        assertEquals(List.of(), answers, "something of it is still on its interface");
        changes.poll();
        changes.poll();
        assertEquals(List.of("{\"error\":\"the interface is down\"}"), answers);
        assertFalse(changes.isChanging(0));
    }

    @Test
    void shouldAddANewPort()
    {
        addNew();
        assertTrue(changes.isChanging(2));
        assertFalse(changes.isRemoved(2));
        assertEquals(0, changes.poll());
        assertEquals(1, changes.poll());
        assertEquals(List.of("2 taken", "2 carried"), events);
        assertEquals(List.of("{\"port\":\"new\",\"device\":\"xdp:r0\",\"change\":\"added\"}"), answers);
    }

    @Test
    void shouldChangeNothingWhereANewPortCannotBeOpened()
    {
        openRefusal = "no interface";
        addNew();
        assertEquals(List.of("{\"error\":\"no interface\"}"), answers);
        assertEquals(List.of(), events);
        assertFalse(changes.isChanging(2));
        assertFalse(changes.isRemoved(2), "there is no port of this place");
    }

    @Test
    void shouldLeaveNothingOfANewPortWhoseInterfaceIsRefused()
    {
        refusal = "the interface is down";
        addNew();
        while (changes.poll() == 0)
        {
            assertEquals(List.of(), answers);
        }
        assertEquals(List.of("2 taken", "2 left"), events);
        assertEquals(List.of("{\"error\":\"the interface is down\"}"), answers);
        assertTrue(changes.isRemoved(2));
    }

    private void addNew()
    {
        changes.addNew(2, PortPlacesTest.port("new"), this::onAnswer);
        places.set(2, PortPlacesTest.port("new"));
    }

    @Test
    void shouldRefuseWhatCannotBeChangedWithOneLine()
    {
        changes.remove("top", this::onAnswer);
        changes.remove("right", this::onAnswer);
        changes.add("right", this::onAnswer);
        changes.add("left", this::onAnswer);
        final List<JsonNode> later = new ArrayList<>();
        changes.remove("left", later::add);
        changes.remove("left", this::onAnswer);
        assertEquals(List.of(
            "{\"error\":\"there is no port \\\"top\\\"; the ports are left, right\"}",
            "{\"error\":\"port right (pcap:in.pcap): cannot be removed while the router runs, because its files are " +
                "read and written once, from the start of the router to its end\"}",
            "{\"error\":\"port right is not removed; show ports lists the ports\"}",
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
                case "device" -> isReattachable ? "xdp:r0" : "pcap:in.pcap";
                case "capability" -> isReattachable ? Optional.of(proxy) : Optional.empty();
                case "detach" -> onDetach();
                case "attach" -> onAttach();
                case "isDetached" -> detached;
                case "isAway" -> detached && stepsToGo == 0;
                case "reattach" -> onStep();
                case "interfaceIndex" -> 7;
                case "macAddress" -> 0x0200_0000_0001L;
                case "mtu" -> 1500;
                case "mode" -> "copy";
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
