package org.fibnuma.ipnuma.client.host;

import org.agrona.concurrent.AtomicBuffer;
import org.fibnuma.core.UserException;
import org.fibnuma.core.memory.FrameBounds;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.ipnuma.channel.PeerChannel;
import org.fibnuma.ipnuma.client.ClientLayout;
import org.fibnuma.ipnuma.client.ClientMessage;
import org.fibnuma.ipnuma.client.ClientStatus;
import org.fibnuma.ipnuma.client.CompanionWrites;
import org.fibnuma.ipnuma.memory.RegionFile;
import org.fibnuma.ipnuma.memory.RegionStore;
import org.fibnuma.ipnuma.table.RegionTable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * All clients of an endpoint. For the endpoint's thread, which calls {@link #poll} in its duty cycle. {@code poll}
 * allocates or makes a system call only when a client connects or ends, or a region is added or removed.
 */
public final class ClientRings implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ClientRings.class);
    private static final int RECORDS_PER_CYCLE = 16;
    private static final int TICKS_PER_TIMEOUT = 8;
    private static final long MAX_TICK_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long PROCESS_CHECK_NS = TimeUnit.SECONDS.toNanos(1);

    private final ClientSettings settings;
    private final DescriptorFile file;
    private final RegionList list;
    private final ClientRegions regions;
    private final PendingAnswers pending;
    private final ClientRequests requests;
    private final ClientSlot[] slots;
    private final ClientSlot[] active;
    private final long tickNs;
    private int activeCount;
    private long lastTickNs;
    private long lastProcessCheckNs;
    private long diedCount;
    private boolean closed;

    private ClientRings(
        final ClientSettings settings,
        final RegionStore store,
        final RegionTable table,
        final long nowNs)
    {
        this.settings = settings;
        this.file = DescriptorFile.create(settings, nowNs);
        final AtomicBuffer buffer = file.buffer();
        this.list = new RegionList(buffer, settings.regionCapacity());
        file.watch(list::write);
        this.regions = new ClientRegions(store, table, list, settings.regionBytes());
        this.pending = new PendingAnswers(settings.slots());
        this.requests = new ClientRequests(regions, pending);
        this.slots = new ClientSlot[settings.slots()];
        this.active = new ClientSlot[settings.slots()];
        this.tickNs = Math.min(settings.timeoutNs() / TICKS_PER_TIMEOUT, MAX_TICK_NS);
        this.lastTickNs = nowNs;
        this.lastProcessCheckNs = nowNs;
        for (int i = 0; i < slots.length; i++)
        {
            slots[i] = new ClientSlot(
                buffer,
                ClientLayout.slotsOffset(settings.regionCapacity()) +
                    i * ClientLayout.slotStride(settings.ringCapacity()),
                settings.ringCapacity(),
                i);
        }
        if (FrameMemory.BOUNDS_CHECKS)
        {
            FrameBounds.register(buffer.addressOffset(), buffer.capacity(), buffer.capacity());
        }
    }

    /**
     * Creates the file for clients.
     *
     * @param settings with the endpoint's directory.
     * @param store    of that directory, which this process owns; closed after the rings.
     * @param table    for clients' regions.
     * @param nowNs    of {@link System#nanoTime}, as for {@link #poll}.
     * @return the rings, which the caller closes before the store.
     * @throws UserException if the file cannot be created.
     */
    public static ClientRings open(
        final ClientSettings settings, final RegionStore store, final RegionTable table, final long nowNs)
    {
        return new ClientRings(settings, store, table, nowNs);
    }

    /** Sets the function that returns the channel of a peer by PC ID, or null, before the first {@link #poll}. */
    public void connect(final IntFunction<PeerChannel> channels)
    {
        requests.connect(channels);
    }

    /**
     * Lists a configured region for clients.
     *
     * @param region that stays open until this is closed.
     * @throws UserException if the list is full.
     */
    public void announce(final RegionFile region)
    {
        if (!list.hasRoom(region.mapping().file().toString()) || !list.add(region, RegionList.ENDPOINT))
        {
            throw new UserException("region " + region.request().name() + ": the list for clients is full, or " +
                region.mapping().file() + " is too long for it");
        }
    }

    /**
     * Runs a duty cycle. Executes a few records of every client. At longer intervals, sends heartbeats and checks which
     * clients are dead. At the end, sends the requests to peers.
     *
     * @param nowNs of {@link System#nanoTime}, the clock of the clients' heartbeats.
     * @return number of executed records.
     */
    public int poll(final long nowNs)
    {
        int work = 0;
        for (int i = 0; i < activeCount; i++)
        {
            work += execute(active[i]);
        }
        if (nowNs - lastTickNs >= tickNs)
        {
            lastTickNs = nowNs;
            tick(nowNs);
        }
        requests.flushHeld();
        return work;
    }

    /** Executes a few records of a client. An error that they cause ends the client, not the endpoint. */
    private int execute(final ClientSlot slot)
    {
        try
        {
            return requests.poll(slot, RECORDS_PER_CYCLE);
        }
        catch (final RuntimeException ex)
        {
            slot.markInvalid("has sent a request that caused an error of this endpoint, " + ex + " at " +
                (ex.getStackTrace().length == 0 ? "an unknown place" : ex.getStackTrace()[0]) + "; report it");
            return 1;
        }
    }

    private void tick(final long nowNs)
    {
        file.heartbeat(nowNs);
        final boolean checkProcesses = nowNs - lastProcessCheckNs >= PROCESS_CHECK_NS;
        if (checkProcesses)
        {
            lastProcessCheckNs = nowNs;
        }
        int count = 0;
        for (final ClientSlot slot : slots)
        {
            tick(slot, nowNs, checkProcesses);
            final int state = slot.state();
            if ((state == ClientLayout.SLOT_ACTIVE || state == ClientLayout.SLOT_CLOSING) && !slot.isGivenUp())
            {
                active[count++] = slot;
            }
        }
        activeCount = count;
    }

    private void tick(final ClientSlot slot, final long nowNs, final boolean checkProcesses)
    {
        final int state = slot.state();
        if (slot.isGivenUp())
        {
            tickGivenUp(slot, state, checkProcesses);
            return;
        }
        switch (state)
        {
            case ClientLayout.SLOT_FREE:
                if (slot.isInUse())
                {
                    giveUp(slot, state, "has marked its slot as free while it was connected");
                }
                break;
            case ClientLayout.SLOT_CLAIMED:
                if (slot.isClaimStale(nowNs, settings.timeoutNs()))
                {
                    giveUp(slot, state, "has died while it was connecting");
                }
                break;
            case ClientLayout.SLOT_ACTIVE:
                slot.use();
                if (slot.invalidity() != null)
                {
                    giveUp(slot, state, slot.invalidity());
                }
                else if (slot.isSilent(nowNs, settings.timeoutNs()))
                {
                    giveUp(slot, state, "has sent no heartbeat for " +
                        TimeUnit.NANOSECONDS.toMillis(settings.timeoutNs()) + " ms");
                }
                break;
            case ClientLayout.SLOT_CLOSING:
                // The records that the client sent before its close are still executed.
                if (execute(slot) == 0 && slot.isDrained() || slot.invalidity() != null ||
                    slot.isSilent(nowNs, settings.timeoutNs()))
                {
                    release(slot);
                }
                break;
            default:
                giveUp(slot, state, "has stored an invalid state");
                break;
        }
    }

    /**
     * Releases the slot when its client has closed or its process has ended. Until then the slot stays marked as dead.
     */
    private void tickGivenUp(final ClientSlot slot, final int state, final boolean checkProcesses)
    {
        if (state == ClientLayout.SLOT_CLOSING || checkProcesses && ProcessHandle.of(slot.pid()).isEmpty())
        {
            release(slot);
        }
        else if (state != ClientLayout.SLOT_DEAD)
        {
            slot.changeState(state, ClientLayout.SLOT_DEAD);
        }
    }

    /**
     * Revokes a client's regions at once and logs one line. The slot is reused only when the client cannot store there
     * any more.
     */
    private void giveUp(final ClientSlot slot, final int state, final String reason)
    {
        if (slot.changeState(state, ClientLayout.SLOT_DEAD))
        {
            diedCount++;
            slot.giveUp();
            pending.removeOf(slot);
            final int revoked = regions.revokeOf(slot.index());
            LOGGER.warn("client {} (pid {}) {}: {} regions revoked", slot.index(), slot.pid(), reason, revoked);
        }
    }

    private void release(final ClientSlot slot)
    {
        pending.removeOf(slot);
        regions.revokeOf(slot.index());
        if (slot.invalidity() != null && !slot.isGivenUp())
        {
            LOGGER.warn("client {} (pid {}) {} before it closed", slot.index(), slot.pid(), slot.invalidity());
        }
        slot.reset();
    }

    /**
     * Returns the writes of a client on the endpoint's thread, given the offset of its slot in the file for clients.
     */
    public CompanionWrites writes(final int offset)
    {
        final int index = (offset - ClientLayout.slotsOffset(settings.regionCapacity())) /
            ClientLayout.slotStride(settings.ringCapacity());
        return requests.writes(slots[index]);
    }

    /**
     * Returns whether an answer is for a client.
     *
     * @param tag request tag of a read, a write or an atomic operation. The endpoint's own request tags must be below
     *            2^62.
     * @return true if the answer must be passed to {@link #onRead}, {@link #onAtomic}, {@link #onWritten} or {@link
     *         #onUnanswered}.
     */
    public static boolean isTag(final long tag)
    {
        return PendingAnswers.isTag(tag);
    }

    /**
     * Passes the answer of a read to its client.
     *
     * @param tag     request tag given to {@link PeerChannel#read}.
     * @param address of the bytes; ignored unless the status is OK.
     * @param length  that was requested.
     * @param status  of {@code AccessStatus}.
     */
    public void onRead(final long tag, final long address, final int length, final int status)
    {
        final ClientSlot slot = pending.slot(tag);
        if (slot != null)
        {
            final long correlation = pending.correlation(tag);
            pending.remove(tag);
            final boolean read = status == ClientStatus.OK && length <= ClientMessage.MAX_DATA_LENGTH;
            if (read)
            {
                slot.answerRead(correlation, status, address, length);
            }
            else
            {
                slot.answer(ClientMessage.READ_DONE, correlation, status, 0, 0);
            }
        }
    }

    /**
     * Passes the answer of an atomic operation to its client.
     *
     * @param tag      request tag given to {@link PeerChannel#atomic}.
     * @param previous value before the operation.
     * @param status   of {@code AccessStatus}.
     */
    public void onAtomic(final long tag, final long previous, final int status)
    {
        final ClientSlot slot = pending.slot(tag);
        if (slot != null)
        {
            final long correlation = pending.correlation(tag);
            pending.remove(tag);
            slot.answer(ClientMessage.ATOMIC_DONE, correlation, status, 0, previous);
        }
    }

    /** Passes the {@link ClientStatus} of a write with a request tag to its client. */
    public void onWritten(final long tag, final int status)
    {
        final ClientSlot slot = pending.slot(tag);
        if (slot != null)
        {
            final long correlation = pending.correlation(tag);
            pending.remove(tag);
            slot.answer(ClientMessage.WRITE_DONE, correlation, status, 0, 0);
        }
    }

    /** Reports to the clients that no open request will be answered. Called after an error has interrupted a call. */
    public void onFault()
    {
        requests.forgetHeld();
        pending.forEach(this::onUnanswered);
        pending.clear();
        for (final ClientSlot slot : slots)
        {
            slot.awaitNothing();
        }
    }

    /** Reports to a client that the connection was lost before its request with this tag was answered. */
    public void onUnanswered(final long tag)
    {
        final ClientSlot slot = pending.slot(tag);
        if (slot != null)
        {
            final int type = pending.answerType(tag);
            final long correlation = pending.correlation(tag);
            pending.remove(tag);
            slot.answer(type, correlation, ClientStatus.UNANSWERED, 0, 0);
        }
    }

    /**
     * Reports an event of a peer to every client.
     *
     * @param type   {@link ClientMessage#PEER_UP} to {@link ClientMessage#PEER_ERROR}.
     * @param peerId PC ID.
     * @param status of an error.
     * @param value  number of lost writes, or the remote address of an error.
     */
    public void onPeer(final int type, final int peerId, final int status, final long value)
    {
        for (int i = 0; i < activeCount; i++)
        {
            if (type == ClientMessage.PEER_DOWN || type == ClientMessage.PEER_RESTARTED)
            {
                active[i].onFailure(type, peerId, value);
            }
            else
            {
                active[i].event(type, peerId, status, value);
            }
        }
    }

    /** Returns the number of clients that are connected, or have closed with records that are not yet executed. */
    public int clientCount()
    {
        return activeCount;
    }

    /** Returns the number of clients that the endpoint has ended since its start. */
    public long diedCount()
    {
        return diedCount;
    }

    /** Reports to the clients that the endpoint has ended, revokes their regions and removes the file. */
    @Override
    public void close()
    {
        if (!closed)
        {
            closed = true;
            regions.revokeAll();
            if (FrameMemory.BOUNDS_CHECKS)
            {
                FrameBounds.unregister(file.buffer().addressOffset());
            }
            file.close();
        }
    }
}
