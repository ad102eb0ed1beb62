package org.fibnuma.fibnic.control;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.UserException;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.Reattachable;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Removes ports from a running router and adds them again, one change at a time, while the others forward. A removed
 * port keeps its index and its frames in the plan of the frame memory; nothing of it is left on its interface. Control
 * thread.
 */
final class PortChanges
{
    private static final Logger LOG = LoggerFactory.getLogger(PortChanges.class);

    private final List<Port> ports;
    private final ReaderEpochs epochs;
    private final Carrier carrier;
    private Change pending;

    /** Receives which ports forward. */
    interface Carrier
    {
        /** A port forwards from now on, or no longer: routes by its interface are then those of the kernel. */
        void accept(int port, boolean carried);
    }

    /**
     * Creates the changes of a router.
     *
     * @param ports   by index.
     * @param epochs  of the workers.
     * @param carrier called before a port gives up its interface, and after it has taken it up.
     */
    PortChanges(final List<Port> ports, final ReaderEpochs epochs, final Carrier carrier)
    {
        this.ports = ports;
        this.epochs = epochs;
        this.carrier = carrier;
    }

    /**
     * Starts to remove a port.
     *
     * @param name   of the port.
     * @param answer called once, now or by {@link #poll}: the port's name and device, or an error of one line.
     */
    void remove(final String name, final Consumer<JsonNode> answer)
    {
        final int index = indexOf(name);
        final Reattachable interfaces = usable(name, index, answer);
        if (interfaces == null)
        {
            return;
        }
        if (interfaces.isDetached())
        {
            answer.accept(ControlProtocol.error("port " + name + " is removed already; port add " + name +
                " adds it again"));
            return;
        }
        pending = new Change(index, interfaces, false, answer);
        carrier.accept(index, false);
        // No worker chooses the port any more, and what was sent by it before has left its FIFOs for the transmit ring.
        epochs.retire(interfaces::detach);
    }

    /**
     * Starts to add a port that was removed.
     *
     * @param name   of the port.
     * @param answer as for {@link #remove}.
     */
    void add(final String name, final Consumer<JsonNode> answer)
    {
        final int index = indexOf(name);
        final Reattachable interfaces = usable(name, index, answer);
        if (interfaces == null)
        {
            return;
        }
        if (!interfaces.isDetached())
        {
            answer.accept(ControlProtocol.error("port " + name + " is not removed; show ports lists the ports"));
            return;
        }
        try
        {
            interfaces.attach();
            pending = new Change(index, interfaces, true, answer);
        }
        catch (final UserException ex)
        {
            answer.accept(ControlProtocol.error(ex.getMessage()));
        }
    }

    /**
     * Starts to add or to remove a port, or does nothing if it is so already.
     *
     * @param name   of the port.
     * @param wanted whether the port is wanted.
     * @param answer as for {@link #remove}, without a name where nothing was done.
     */
    void set(final String name, final boolean wanted, final Consumer<JsonNode> answer)
    {
        final int index = indexOf(name);
        final boolean isSo = index >= 0 && ports.get(index).capability(Reattachable.class)
            .map(interfaces -> interfaces.isDetached() != wanted).orElse(false);
        if (isSo && pending == null)
        {
            answer.accept(ControlProtocol.object());
        }
        else if (wanted)
        {
            add(name, answer);
        }
        else
        {
            remove(name, answer);
        }
    }

    /** Takes the next step of a change; returns whether one has ended. */
    int poll()
    {
        if (pending == null)
        {
            return 0;
        }
        if (pending.isAdding)
        {
            pollAddition();
        }
        else if (pending.interfaces.isDetached())
        {
            pending.interfaces.reattach();
            if (pending.interfaces.isAway())
            {
                end("removed");
            }
        }
        return pending == null ? 1 : 0;
    }

    private void pollAddition()
    {
        try
        {
            if (pending.interfaces.isAway())
            {
                // Its interface may have gone since the request.
                pending.interfaces.attach();
            }
            if (pending.interfaces.reattach())
            {
                carrier.accept(pending.index, true);
                end("added");
            }
        }
        catch (final UserException ex)
        {
            pending.interfaces.detach();
            LOG.warn("port {} was not added: {}", ports.get(pending.index).name(), ex.getMessage());
            endWith(ControlProtocol.error(ex.getMessage()));
        }
    }

    private void end(final String what)
    {
        final Port port = ports.get(pending.index);
        LOG.info("port {} ({}): {}", port.name(), port.device(), what);
        endWith(ControlProtocol.object().put("port", port.name()).put("device", port.device()).put("change", what));
    }

    private void endWith(final JsonNode answer)
    {
        final Change ended = pending;
        pending = null;
        ended.answer.accept(answer);
    }

    /** Returns null, after an error was answered, where the port cannot be changed. */
    private Reattachable usable(final String name, final int index, final Consumer<JsonNode> answer)
    {
        final Reattachable interfaces =
            index < 0 ? null : ports.get(index).capability(Reattachable.class).orElse(null);
        final String problem = index < 0 ?
            "there is no port \"" + name + "\"; the ports are " +
                ports.stream().map(Port::name).collect(Collectors.joining(", ")) :
            interfaces == null ? "port " + name + " (" + ports.get(index).device() +
                "): a port of this kind stays while the router runs; xdp: ports can be removed and added" :
            pending != null ? "port " + ports.get(pending.index).name() + " is being changed; ask again" : null;
        if (problem != null)
        {
            answer.accept(ControlProtocol.error(problem));
            return null;
        }
        return interfaces;
    }

    private int indexOf(final String name)
    {
        for (int port = 0; port < ports.size(); port++)
        {
            if (ports.get(port).name().equals(name))
            {
                return port;
            }
        }
        return -1;
    }

    /**
     * A change under way.
     *
     * @param index      of the port.
     * @param interfaces of the port.
     * @param isAdding   whether the port is added.
     * @param answer     to the request.
     */
    private record Change(int index, Reattachable interfaces, boolean isAdding, Consumer<JsonNode> answer)
    {
    }
}
