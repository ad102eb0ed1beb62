package org.fibnuma.fibnic.control;

import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.CloseHelper;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.fibnuma.binding.fpm.FpmServer;
import org.fibnuma.binding.rtnetlink.RtnetlinkKernelNetwork;
import org.fibnuma.core.AllOrNothing;
import org.fibnuma.core.UserException;
import org.fibnuma.core.agent.AgentThread;
import org.fibnuma.core.agent.AllowedCores;
import org.fibnuma.core.agent.IdleStrategies;
import org.fibnuma.core.agent.ThreadPinning;
import org.fibnuma.core.counter.CountersFile;
import org.fibnuma.core.flow.FlowTable;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.kernel.KernelNetwork;
import org.fibnuma.core.kernel.RouteFeed;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.Reattachable;
import org.fibnuma.core.service.host.HostChanges;
import org.fibnuma.core.service.host.KilledProcesses;
import org.fibnuma.core.service.host.RunDirectory;
import org.fibnuma.core.service.notify.ServiceNotifications;
import org.fibnuma.core.service.jvmpause.JvmPauseWatcher;
import org.fibnuma.core.service.jvmpause.JvmPauses;
import org.fibnuma.core.service.jvmpause.WatchedAgent;
import org.fibnuma.fibnic.acl.AccessTable;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.adjacency.NeighborResolveProxy;
import org.fibnuma.fibnic.config.ControlMode;
import org.fibnuma.fibnic.config.FpmConfig;
import org.fibnuma.fibnic.config.LimitConfig;
import org.fibnuma.fibnic.config.PortConfig;
import org.fibnuma.fibnic.config.RouterConfig;
import org.fibnuma.fibnic.control.ipc.ControlServer;
import org.fibnuma.fibnic.control.record.Captures;
import org.fibnuma.fibnic.control.record.Traces;
import org.fibnuma.fibnic.control.record.CapturePoints;
import org.fibnuma.fibnic.datapath.ForwarderAgent;
import org.fibnuma.fibnic.datapath.ForwarderContext;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fate.PortDrops;
import org.fibnuma.fibnic.fate.VlanTraffic;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.Ipv6Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.fibnuma.fibnic.flows.FlowFollower;
import org.fibnuma.fibnic.flows.FlowStatus;
import org.fibnuma.fibnic.flows.FlowView;
import org.fibnuma.fibnic.lossless.LosslessCounters;
import org.fibnuma.fibnic.lossless.LosslessPorts;
import org.fibnuma.fibnic.metrics.ControlSample;
import org.fibnuma.fibnic.metrics.RouterSampler;
import org.fibnuma.fibnic.multipath.FlowHash;
import org.fibnuma.fibnic.ports.PortTable;
import org.fibnuma.fibnic.rate.IcmpSettings;
import org.fibnuma.fibnic.rate.RateLimit;
import org.fibnuma.fibnic.report.FlowsReport;
import org.fibnuma.fibnic.report.RouterReport;
import org.fibnuma.fibnic.report.SampleCost;
import org.fibnuma.fibnic.report.ThreadsReport;
import org.fibnuma.fibnic.rib.LinkTable;
import org.fibnuma.fibnic.rib.NeighborRefresher;
import org.fibnuma.fibnic.rib.NeighborRequests;
import org.fibnuma.fibnic.rib.RoutingTables;
import org.fibnuma.fibnic.rib.VlanSettings;
import org.fibnuma.fibnic.stage.StageTimes;
import org.fibnuma.fibnic.warmup.WarmUp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * A running router. {@link #open} does everything that can fail: name, memory, ports, the kernel's tables.
 * {@link #start} starts the threads and ports. Used by the thread that opened it.
 */
public final class Router implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Router.class);

    /** Idle sleep of the control thread: changes of the kernel are followed within 10 ms. */
    private static final long CONTROL_INTERVAL_MS = 1;

    /** Room for more than a thousand requests of workers between two duty cycles of the control thread. */
    private static final int RESOLVE_RING_BYTES = 1 << 16;

    /** The configuration as it was read, without the frame size of the ports. */
    private final RouterConfig given;
    private final RouterConfig config;
    private final RateLimit icmpErrors;
    private final int hostFrames;
    private final EpochClock clock = SystemEpochClock.INSTANCE;
    private final Deque<AutoCloseable> resources = new ArrayDeque<>();
    private final List<Supplier<JvmPauses>> workerPauses = new ArrayList<>();
    private JvmPauseWatcher pauseWatcher;
    private WarmUp warmUp;
    private OpenPorts ports;
    private CountersFile counters;
    private final AccessTable access = new AccessTable();
    private final VlanTraffic vlanTraffic;
    private final PortDrops portDrops;
    private final SampleCost sampleCost = new SampleCost();
    private LosslessPorts lossless;
    private List<FramePool> pools;
    private FramePool hostPool;
    private RoutingTables.Shared shared;
    private FlowHash flowHash;
    private FlowHashSettings flowSettings;
    private RoutingTables tables;
    private int[] interfaceIndexes;
    private RoutesFile routesFile;
    /** Null where the router does not follow the kernel. */
    private AnswerSettings answers;
    private final IcmpSettings icmpSettings = new IcmpSettings();
    private long loadedMs;
    private KernelNetwork kernel;
    /** Null unless a routing daemon hands over the routes; so is {@link #daemon}. */
    private RouteFeed feed;
    private RouteFeedFollower daemon;
    private HostPolicyFollower hostPolicy;
    private final AtomicReference<FlowTable> flowTable = new AtomicReference<>();
    /** Null where the host's packet filters do not concern the router. */
    private FlowFollower flows;
    private RingBuffer resolveRequests;
    private NeighborRequests neighborRequests;
    private NeighborRefresher refresher;
    private Reload reload;
    private CapturePoints points;
    private Captures captures;
    private Traces traces;
    private PortChanges portChanges;
    private final PortPlaces places;
    private PortTable portTable;
    /** Null without an HTTP server. */
    private HttpService http;

    private Router(final RouterConfig config, final int hostFrames)
    {
        this.given = config;
        this.config = FrameMemoryPlan.withFrameSize(config);
        this.icmpErrors = new RateLimit(config.limits().icmpErrorsPerSecond(), config.limits().icmpErrorBurst());
        this.hostFrames = hostFrames;
        this.places = new PortPlaces(config.ports(), config.sparePlaces());
        this.vlanTraffic = new VlanTraffic(config.workers().count());
        this.portDrops = new PortDrops(config.workers().count());
    }

    /**
     * Opens the resources of a router and reads its tables. Frames are received from {@link #start} on. If this fails,
     * nothing stays open.
     *
     * @param config of the router.
     * @return the router, to be started.
     * @throws RuntimeException with one line for the user: {@link UserException} or
     *                          {@link java.io.UncheckedIOException}.
     */
    public static Router open(final RouterConfig config)
    {
        return open(config, 0);
    }

    /**
     * Opens a router with frames for hosts in this process at the far ends of {@code mem:} ports.
     *
     * @param config     of the router.
     * @param hostFrames number of frames of {@link #hostPool()}.
     * @return the router, to be started.
     * @throws RuntimeException as for {@link #open(RouterConfig)}.
     */
    public static Router open(final RouterConfig config, final int hostFrames)
    {
        return AllOrNothing.open(new Router(config, hostFrames), router ->
        {
            router.openResources();
            router.loadTables();
        });
    }

    /**
     * Starts a router that no service manager watches, as {@link #start(ServiceNotifications)}.
     *
     * @throws UserException with one line for the user where the control socket cannot be made.
     */
    public void start()
    {
        start(ServiceNotifications.NONE);
    }

    /**
     * Waits for the warm-up, starts the threads, then the ports. When it returns, every port forwards.
     *
     * @param notifications gets reloads, and progress while every worker ends its duty cycles. The caller sends the
     *                      other notifications.
     * @throws UserException with one line for the user where the control socket cannot be made.
     */
    public void start(final ServiceNotifications notifications)
    {
        warmUp.await();
        // Changes since the tables were loaded apply before the first frame.
        hostPolicy.poll();
        for (int worker = 0; worker < config.workers().count(); worker++)
        {
            final WatchedAgent watched = pauseWatcher.watch(
                ForwarderAgent.of(context(worker)), IdleStrategies.longestSleepNs(config.workers().idle()));
            workerPauses.add(watched.pauses());
            keep(AgentThread.start(
                watched.agent(), IdleStrategies.of(config.workers().idle()), config.workers().core(worker),
                new ErrorLog(watched.agent().roleName(), clock)));
        }
        final CarrierFollower carriers = new CarrierFollower(
            ports.list(), ports.kernelPaths().own(), tables.links(), this::onDevice,
            place -> portChanges.isChanging(place), clock);
        final PfcLog pauses = new PfcLog(config.pfc(), config.portNames(), counters.counters(), LOGGER::warn);
        final TableWidth width = new TableWidth(shared.fib(), clock, LOGGER::info);
        final FlowControlFacts flowControl = new FlowControlFacts(config.pfc(), ports.list(), clock, LOGGER::info);
        final PortLog portLog = new PortLog(ports.list(), clock, LOGGER::warn);
        portChanges = new PortChanges(ports.list(), places, shared.epochs(), portTables());
        final List<IntSupplier> watches = new ArrayList<>(List.of(
            portChanges::poll, carriers::poll, portLog::poll, pauses::poll, width::poll, flowControl::poll,
            flowSettings::poll, this::balanceGroups, captures::poll, traces::poll));
        if (answers != null)
        {
            watches.add(answers::poll);
        }
        watches.add(new ProgressWatch(notifications, shared.epochs(), SystemNanoClock.INSTANCE)::poll);
        final ControlAgent control = new ControlAgent(
            kernel, tables, neighborRequests, refresher, resolveRequests, shared.epochs(),
            flows == null ? List.of(hostPolicy::poll) : List.of(flows::poll, hostPolicy::poll), watches, clock);
        keep(AgentThread.start(
            control, new SleepingMillisIdleStrategy(CONTROL_INTERVAL_MS), ThreadPinning.ANY_CORE,
            new ErrorLog(control.roleName(), clock)));
        final RouterReport report = new RouterReport(
            ports.list(), ports.kernelPaths().own(), tables, shared, counters.counters(), portDrops,
            access, hostPolicy::restrictions, this::flowStatus, flowHash, vlanTraffic);
        listen(control, report, notifications);
        ports.start();
        carriers.start();
        flowControl.start();
        if (http != null)
        {
            final RouterSampler sampler = new RouterSampler(
                report, pauseWatcher::safepoints, workerPauses, control::longestCycleNs, this::controlSample);
            http.start(control, sampler, sampleCost);
            // Closed before the control thread, which answers.
            keep(http);
        }
        StartupFacts.log(config, ports, shared.fib(), shared.ipv6Fib(), loadedMs);
    }

    /** Returns whether all ports replay capture files and have reached their ends; any thread. */
    public boolean exhausted()
    {
        return ports.exhausted();
    }

    /**
     * Reads the configuration file again and applies the changes, on another thread. The log has the changes, or the
     * reason why there are none. Any thread, after {@link #start}.
     */
    public void reload()
    {
        reload.start(answer -> {});
    }

    /**
     * Returns the frames of {@link #open(RouterConfig, int)}. They are in the router's memory, because {@code mem:}
     * links pass frames without a copy. For one thread.
     */
    public FramePool hostPool()
    {
        return hostPool;
    }

    /** Returns the address of the HTTP server; null if the router has none. */
    public InetSocketAddress httpAddress()
    {
        return http == null ? null : http.address();
    }

    /** Stops the threads, detaches from every interface, releases memory and name. */
    @Override
    public void close()
    {
        CloseHelper.closeAll(resources);
        resources.clear();
    }

    private void openResources()
    {
        requireCores();
        access.replace(config.accessLists(null, places.ports()));
        pauseWatcher = keep(JvmPauseWatcher.start(new ErrorLog("pause-watcher", clock)));
        KilledProcesses.cleanUp(LOGGER::warn);
        http = config.http() == null ? null : keep(HttpService.open(config));
        warmUp = keep(WarmUp.start());
        counters = keep(CountersFile.create(
            CountersFile.directoryOf(config.name()),
            CountersFile.DEFAULT_CAPACITY + config.workers().count() * StageTimes.COUNTERS + (!config.isLossless() ? 0 :
                LosslessCounters.count(config.ports().size(), config.pfc().losslessPriorities()))));
        final HostChanges changes = keep(HostChanges.open(config.name()));
        final MemoryRegion frames = keep(FrameMemoryPlan.region(config, hostFrames));
        pools = FrameMemoryPlan.pools(config, frames);
        hostPool = FrameMemoryPlan.hostPool(config, frames, hostFrames);
        ports = keep(OpenPorts.open(config, pools, changes));
        lossless = !config.isLossless() ? null : new LosslessPorts(
            config.pfc(), config.portNames(), config.workers().count(), counters.counters());
        final ReaderEpochs epochs = new ReaderEpochs();
        shared = new RoutingTables.Shared(
            keep(new Ipv4Fib(epochs)), keep(new Ipv6Fib(epochs)), new AdjacencyTable(),
            new InterfaceTable(places.size()), epochs);
        portTable = new PortTable(ports.list(), places.size());
        // Freed after the workers and the control socket have ended.
        points = new CapturePoints(this::nameOfPlace, places.size(), config.workers().count(), epochs);
        captures = keep(new Captures(points));
        traces = keep(new Traces(points));
        // Routers in a row divide flows in different ways, and each in the same way after a restart.
        flowHash = new FlowHash(ports.list().stream().mapToLong(Port::macAddress).sum());
        flowSettings = new FlowHashSettings(FlowHashSettings.KERNEL, flowHash, clock, LOGGER::info);
        flowSettings.read();
        flows = !ports.bypassPacketFilters() ? null : keep(new FlowFollower(
            ports.list(), this::numberOfInterface, flowTable, epochs, config.limits().maxFlows(),
            config.limits().flowRefreshesPerSecond(), counters.counters(), clock,
            "fibnuma-" + ProcessHandle.current().pid()));
        hostPolicy = keep(new HostPolicyFollower(
            config, ports.list(), ports::interfaceIndex, shared.interfaces(),
            HostPolicyFollower.openKernel(config, ports), flows, counters.counters(), clock));
        hostPolicy.start();
        kernel = openFollowedKernel();
        resolveRequests = new ManyToOneRingBuffer(
            new UnsafeBuffer(BufferUtil.allocateDirectAligned(
                RESOLVE_RING_BYTES + RingBufferDescriptor.TRAILER_LENGTH, BitUtil.CACHE_LINE_LENGTH)));
    }

    /** Fails if a configured core is not available: its worker would share the core of another one. */
    private void requireCores()
    {
        final BitSet allowed = AllowedCores.ofThisProcess();
        for (final int core : config.workers().cores())
        {
            if (!allowed.get(core))
            {
                throw new UserException(config.at(config.workers().coresLine(), "router.cores") +
                    "this process may not run on core " + core + ", it has " +
                    AllowedCores.format(allowed) + "; give one of them for each worker, or [] to pin none");
            }
        }
    }

    private KernelNetwork openKernel()
    {
        if (config.control().mode() == ControlMode.STATIC)
        {
            return new StaticNetwork(config, ports.list());
        }
        return RtnetlinkKernelNetwork.open();
    }

    private KernelNetwork openKernelToVerify()
    {
        final KernelNetwork network = openKernel();
        return config.control().fpm() == null ? network : new HandedKernelNetwork(network, () -> 0);
    }

    private KernelNetwork openFollowedKernel()
    {
        final FpmConfig fpm = config.control().fpm();
        if (fpm == null)
        {
            return keep(openKernel());
        }
        feed = keep(FpmServer.listen(fpm.listen()));
        return keep(new HandedKernelNetwork(openKernel(), () -> daemon.poll()));
    }

    private void loadTables()
    {
        final long startMs = clock.time();
        interfaceIndexes = interfaceIndexes();
        tables = new RoutingTables(ports.list(), new LinkTable(interfaceIndexes,
            config.control().mode() == ControlMode.STATIC ? List.of() : ports.interfaceNames()), shared);
        if (config.forwarding().oldBroadcasts())
        {
            tables.forwardOldBroadcasts();
        }
        if (config.forwarding().ipv6())
        {
            tables.forwardIpv6();
        }
        if (feed != null)
        {
            daemon = new RouteFeedFollower(
                feed, tables.handedRoutes(), config.control().fpm().staleSeconds(), clock);
        }
        tables.vlanSettings(new VlanSettings(
            (port, vlan) -> config.control().mode() == ControlMode.STATIC ?
                StaticNetwork.pcp(config, vlan) : places.get(port).vlanPcp(),
            hostPolicy.policyOfNewVlans(), vlanTraffic::begin));
        kernel.dump(tables);
        hostPolicy.followTables(tables);
        routesFile = new RoutesFile(config.control().routesFile(), config.forwarding().ipv6());
        routesFile.forEach(tables::addFileRoute);
        loadedMs = clock.time() - startMs;
        loadAnswerSettings();
        neighborRequests = new NeighborRequests(kernel, tables.links(), LOGGER::warn);
        refresher = new NeighborRefresher(tables, neighborRequests,
            TimeUnit.SECONDS.toMillis(config.control().neighborRefreshSeconds()), LOGGER::warn);
    }

    private void loadAnswerSettings()
    {
        if (config.control().mode().followsKernel())
        {
            answers = new AnswerSettings(AnswerSettings.KERNEL, tables, icmpSettings, clock, LOGGER::warn);
            answers.read();
        }
        else
        {
            for (int port = 0; port < interfaceIndexes.length; port++)
            {
                tables.sendRedirects(port, config.forwarding().redirects());
            }
        }
    }

    private int[] interfaceIndexes()
    {
        final int[] indexes = new int[places.size()];
        for (int port = 0; port < ports.list().size(); port++)
        {
            indexes[port] = config.control().mode() == ControlMode.STATIC ?
                StaticNetwork.interfaceIndex(port) : ports.interfaceIndex(port);
        }
        return indexes;
    }

    /** Returns the number of the router's interface with an index of the kernel, negative if there is none. */
    private int numberOfInterface(final int interfaceIndex)
    {
        for (int port = 0; port < ports.list().size(); port++)
        {
            if (ports.interfaceIndex(port) == interfaceIndex)
            {
                return port;
            }
        }
        return tables.links().numberOf(interfaceIndex);
    }

    /** Passes a new device of a port to the tables; a static router takes its link from the device. */
    private void onDevice(final int port, final int interfaceIndex)
    {
        if (config.control().mode().followsKernel())
        {
            if (!ports.kernelPaths().own().containsKey(port))
            {
                tables.onPort(port, interfaceIndex);
            }
        }
        else if (interfaceIndex != 0)
        {
            final StaticNetwork network = (StaticNetwork)kernel;
            tables.onLink(network.link(port), true);
            network.vlanLinks(port).forEach(link -> tables.onLink(link, true));
        }
    }

    private PortChanges.Tables portTables()
    {
        return new PortChanges.Tables()
        {
            @Override
            public void carry(final int place, final boolean carried)
            {
                onCarried(place, carried);
            }

            @Override
            public Port open(final int place, final PortConfig portConfig)
            {
                return openPort(place, portConfig);
            }

            @Override
            public void take(final int place, final Port port)
            {
                takePort(place, port);
            }

            @Override
            public void leave(final int place)
            {
                if (config.control().mode().followsKernel())
                {
                    tables.leaveInterface(place);
                }
            }
        };
    }

    private String nameOfPlace(final int place)
    {
        final PortConfig port = places.get(place);
        return port == null || portChanges.isRemoved(place) ? null : port.name();
    }

    private Port openPort(final int place, final PortConfig portConfig)
    {
        if (captures.isAt(place) || traces.isAt(place))
        {
            throw new UserException("port " + portConfig.name() + " would get the place of port " +
                ports.list().get(place).name() + ", which a running capture or trace has: end that first");
        }
        final Port port = ports.openDetached(place, portConfig);
        try
        {
            hostPolicy.check(port.interfaceIndex());
            return port;
        }
        catch (final UserException ex)
        {
            port.close();
            throw ex;
        }
    }

    /** Gives a place to a port that takes no frames yet. */
    private void takePort(final int place, final Port port)
    {
        final Port replaced = ports.put(place, port);
        tables.announceAddresses(port);
        tables.takeInterface(
            place, port.interfaceIndex(), port.capability(Reattachable.class).orElseThrow().interfaceName());
        hostPolicy.begin(place);
        FateCounters.rename(counters.counters(), place, port.name());
        portTable.replace(ports.list());
        if (replaced != null)
        {
            shared.epochs().retire(replaced::close);
        }
    }

    /** A port was added or removed. The kernel has the routes of a removed port. */
    private void onCarried(final int port, final boolean carried)
    {
        if (carried && config.control().mode().followsKernel() && tables.links().interfaceOf(port) == 0)
        {
            // Another port has had this interface meanwhile.
            final Port added = ports.list().get(port);
            tables.takeInterface(
                port, added.interfaceIndex(), added.capability(Reattachable.class).orElseThrow().interfaceName());
        }
        if (carried)
        {
            onDevice(port, ports.interfaceIndex(port));
        }
        if (!carried || !config.control().mode().followsKernel())
        {
            tables.onPort(port, carried ? tables.links().interfaceOf(port) : 0);
        }
    }

    private FlowStatus flowStatus()
    {
        return flows == null ? FlowStatus.NONE : flows.status();
    }

    private List<FlowView> flows(final int first, final int most)
    {
        return flows == null ? List.of() : flows.flows(first, most);
    }

    private ControlSample controlSample()
    {
        return new ControlSample(
            neighborRequests.refused(), refresher.unanswered(), daemon == null ? 0 : daemon.skipped());
    }

    /** Returns 0, because it should not keep the thread awake. */
    private int balanceGroups()
    {
        tables.balanceGroups(TimeUnit.NANOSECONDS.toMillis(SystemNanoClock.INSTANCE.nanoTime()));
        return 0;
    }

    /** Applies all settings that can change while the router runs, except access lists. Control thread. */
    private void applySettings(final RouterConfig changed)
    {
        changed.logLevel().apply();
        hostPolicy.settings(changed.control());
        icmpErrors.change(changed.limits().icmpErrorsPerSecond(), changed.limits().icmpErrorBurst());
        ports.puntsPerSecond(changed.limits().puntsPerSecond());
        if (flows != null)
        {
            flows.refreshesPerSecond(changed.limits().flowRefreshesPerSecond());
        }
        refresher.refreshMs(TimeUnit.SECONDS.toMillis(changed.control().neighborRefreshSeconds()));
        if (daemon != null)
        {
            daemon.staleSeconds(changed.control().fpm().staleSeconds());
        }
    }

    private void listen(
        final ControlAgent control, final RouterReport report, final ServiceNotifications notifications)
    {
        final Verification verification = new Verification(
            this::openKernelToVerify, routesFile, tables, config.forwarding(), shared, control,
            feed == null ? null : tables.handedRoutes(), flows);
        reload = new Reload(
            given, access, this::applySettings, control, shared.epochs(), places, portChanges, notifications);
        final Path socket = RunDirectory.controlSocketOf(config.name());
        try
        {
            keep(ControlServer.start(socket, new RouterRequests(
                report,
                new FlowsReport(
                    this::flowStatus, this::flows, hostPolicy::restrictions, report::forwardsFlows,
                    report::interfaceName),
                control, verification,
                new ThreadsReport(pauseWatcher, workerPauses, counters.counters(), sampleCost), reload, captures,
                traces)));
            // Closed before the socket, which sends the answers of cancelled verifications and reloads.
            keep(verification);
            keep(reload);
        }
        catch (final IOException ex)
        {
            throw new UserException("control socket " + socket + ": " + ex.getMessage(), ex);
        }
    }

    private ForwarderContext context(final int worker)
    {
        final LimitConfig limits = config.limits();
        return new ForwarderContext()
            .worker(worker)
            .ports(ports.list())
            .portTable(portTable)
            .kernelPaths(ports.kernelPaths())
            .interfaces(shared.interfaces())
            .fib(shared.fib())
            .ipv6Fib(shared.ipv6Fib())
            .forwardsIpv6(config.forwarding().ipv6())
            .sendsIpv6Redirects(config.forwarding().redirects())
            .readerEpochs(shared.epochs())
            .adjacencies(shared.adjacencies())
            .neighborResolveProxy(new NeighborResolveProxy(resolveRequests))
            .accessTable(access)
            .flowHash(flowHash)
            .flows(flowTable)
            .vlanTraffic(vlanTraffic)
            .portDrops(portDrops)
            .capturePoint(points.of(worker))
            .lossless(lossless)
            .framePool(pools.get(worker))
            .counters(counters.counters())
            .egressFifoDepth(limits.egressFifoDepth())
            .holdFramesPerNeighbor(limits.holdFramesPerNeighbor())
            .holdFrames(limits.holdFrames())
            .holdTimeoutNs(TimeUnit.MILLISECONDS.toNanos(limits.holdMilliseconds()))
            .icmpErrors(icmpErrors)
            .icmpSettings(icmpSettings)
            .kernelMartians(config.forwarding().kernelMartians())
            .forwardLooseSourceRoutes(config.forwarding().looseSourceRoutes())
            .forwardOldBroadcasts(config.forwarding().oldBroadcasts())
            .conclude();
    }

    private <T extends AutoCloseable> T keep(final T resource)
    {
        resources.push(resource);
        return resource;
    }
}
