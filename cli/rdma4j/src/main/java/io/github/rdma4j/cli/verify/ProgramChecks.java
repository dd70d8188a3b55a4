// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import static io.github.rdma4j.cli.verify.Check.CheckFailedException.expect;
import static io.github.rdma4j.cli.verify.Check.LeftOutException.leaveOutIf;

import io.github.rdma4j.cli.perf.PerfResult;
import io.github.rdma4j.cli.ping.PingCommand;
import io.github.rdma4j.cli.run.Failures;
import io.github.rdma4j.cli.run.Peer;
import io.github.rdma4j.cli.run.PeerProcess;
import io.github.rdma4j.cli.run.RdmaAddress;
import io.github.rdma4j.cli.transfer.CmatoseCommand;
import io.github.rdma4j.cli.transfer.MckeyCommand;
import io.github.rdma4j.cli.transfer.UdaddyCommand;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;

/**
 * Checks of the programs, with both ends on this machine: Java and Java, Java and C, C and Java. They connect through
 * the connection manager, on the address of the device.
 */
final class ProgramChecks {
    private static final Path CONNECTION_MANAGER = Path.of("/dev/infiniband/rdma_cm");
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration STARTING = Duration.ofSeconds(5);
    private static final long NAP_MILLIS = 200;
    private static final Set<String> DATAGRAMS = Set.of("udaddy", "mckey");

    /** Takes a fraction of a second. */
    private static final int WARM_UP = 60_000;

    /** For a software device, whose messages are too slow for a longer warm-up. */
    private static final int SHORT_WARM_UP = 5_000;

    private static final Set<String> SOFTWARE = Set.of("rxe", "siw");
    private static final int ITERATIONS = 2_000;
    private static final Pattern RELEASE = Pattern.compile("(\\d+)(?:\\.(\\d+))?");

    private ProgramChecks() {}

    /**
     * Returns the checks.
     *
     * @param news receives lines about slow checks
     */
    static List<Check> checks(Consumer<String> news) {
        List<Check> checks = new ArrayList<>();
        for (int i = 0; i < Program.JAVA.size(); i++) {
            Program java = Program.JAVA.get(i);
            Program c = Program.C.get(i);
            String name = java.name() + (java.client().contains("65535") ? " of 65535 bytes" : "");
            checks.add(check(name + ": Java and Java", java, java));
            checks.add(check(name + ": server in Java, client in C (" + c.name() + ")", java, c));
            checks.add(check(name + ": server in C (" + c.name() + "), client in Java", c, java));
        }
        checks.add(new Check(
                "latency of 64 bytes, half a round trip", LIMIT.multipliedBy(6), card -> latency(card, news)));
        return checks;
    }

    private static Check check(String name, Program server, Program client) {
        return new Check(name, LIMIT, card -> {
            InetAddress address = requireAddress(card);
            leaveOutIf(
                    DATAGRAMS.contains(server.name()) && card.isIwarp(), "not on this device: iWARP has no datagrams");
            for (Program program : List.of(server, client)) {
                leaveOutIf(
                        program.isC() && !Program.isInstalled(program.name()),
                        program.name() + " is not installed (Debian package rdmacm-utils)");
            }
            leaveOutIf(
                    client.isC()
                            && client.name().equals("mckey")
                            && card.isSoftRoce()
                            && sendsFromAWorkQueue(System.getProperty("os.version")),
                    "mckey in C destroys its queue pair as soon as it has posted its messages,"
                            + " and soft-RoCE sends none of them then (since Linux 6.4)");
            return exchange(server, client, Program.Place.at(address.getHostAddress()));
        });
    }

    /** True if soft-RoCE of a kernel sends asynchronously to the posting of work requests. */
    static boolean sendsFromAWorkQueue(String kernel) {
        Matcher release = RELEASE.matcher(kernel);
        if (!release.lookingAt()) {
            return false;
        }
        int major = Integer.parseInt(release.group(1));
        int minor = release.group(2) == null ? 0 : Integer.parseInt(release.group(2));
        return major > 6 || (major == 6 && minor >= 4);
    }

    /** Requires the running kernel, because other processes reach only its devices. */
    static void requireKernel(Card card) throws Check.LeftOutException {
        leaveOutIf(card.kernel() != Kernel.running(), "the device is not one of this machine's kernel");
    }

    /** Returns the address to which programs connect. */
    private static InetAddress requireAddress(Card card) throws Check.LeftOutException {
        requireKernel(card);
        leaveOutIf(
                !Files.exists(CONNECTION_MANAGER),
                "no connection manager: there is no " + CONNECTION_MANAGER + "; modprobe rdma_ucm");
        return card.requireAddress();
    }

    /** Runs both ends; returns the last line of a Java end. */
    private static String exchange(Program server, Program client, Program.Place place) throws Exception {
        try (Peer waiting = server.start(server.server(), place)) {
            awaitReady(server, waiting, place);
            String said = runClient(client, place, waiting);
            if (server.ends()) {
                int status = waiting.await(STARTING);
                expect(status == 0, "the server ended with status " + status + ":\n" + waiting.output());
            }
            String figures = figures(client.isC() ? "" : said);
            return figures.isEmpty() && !server.isC() ? figures(waiting.output()) : figures;
        }
    }

    /** Waits until clients can connect. rdma(8) shows listening C programs, most of which print nothing. */
    private static void awaitReady(Program server, Peer waiting, Program.Place place)
            throws RdmaException, InterruptedException {
        if (!server.ready().isEmpty()) {
            waiting.awaitOutput(server.ready(), LIMIT);
        } else if (waiting instanceof PeerProcess process && Program.isInstalled("rdma")) {
            process.awaitListening(server.port(place), STARTING);
        } else {
            TimeUnit.SECONDS.sleep(1);
        }
    }

    /** Runs a client. A server that does not report when it listens rejects clients at first. */
    private static String runClient(Program client, Program.Place place, Peer server)
            throws RdmaException, Check.CheckFailedException, InterruptedException {
        long deadline = System.nanoTime() + STARTING.toNanos();
        while (true) {
            try (Peer running = client.start(client.client(), place)) {
                int status = running.await(LIMIT);
                if (status == 0) {
                    return running.output();
                }
                expect(
                        System.nanoTime() < deadline,
                        "the client ended with status " + status + ":\n" + running.output() + "the server said:\n"
                                + server.output());
            }
            TimeUnit.MILLISECONDS.sleep(NAP_MILLIS);
        }
    }

    /** The line with the number of verified messages. */
    private static String figures(String output) {
        return output.lines()
                .filter(line -> line.contains("verified") || line.contains("round trip"))
                .reduce((first, last) -> last)
                .orElse("");
    }

    private static String latency(Card card, Consumer<String> news) throws Exception {
        InetAddress address = requireAddress(card);
        RdmaAddress rdma = new RdmaAddress(card.device(), address, card.gid().gidIndex());
        int port = Program.Place.at(address.getHostAddress()).port();
        int warmUp = SOFTWARE.contains(card.device().driverName()) ? SHORT_WARM_UP : WARM_UP;
        Latency latency = new Latency(rdma, port, warmUp, ITERATIONS, "ib_send_lat");
        PerfResult java = latency.ofJava();
        double median = java.latency().orElseThrow().typical();
        String ours = String.format(Locale.ROOT, "Java %.2f us, %d bytes allocated", median, java.allocatedBytes());
        if (card.isIwarp()) {
            // ib_send_lat would connect its queue pairs itself
            return ours;
        }
        if (!Program.isInstalled("ib_send_lat")) {
            return ours + "; ib_send_lat is not installed (Debian package perftest)";
        }
        return ours + "; " + latency.besideC(median, LIMIT, news);
    }

    /** A command of this program on its own thread. Closing interrupts the command. */
    private static final class CommandThread implements Peer {
        private static final Map<String, Supplier<Callable<Integer>>> COMMANDS = Map.of(
                "ping", PingCommand::new,
                "cmatose", CmatoseCommand::new,
                "udaddy", UdaddyCommand::new,
                "mckey", MckeyCommand::new);

        private static final long FAREWELL_MILLIS = 5000;
        private static final long NAP_MILLIS = 10;

        private final String name;
        private final StringWriter output = new StringWriter();
        private final FutureTask<Integer> task;
        private final Thread thread;

        private CommandThread(List<String> words) {
            name = words.get(0);
            PrintWriter writer = new PrintWriter(output, true);
            CommandLine line = new CommandLine(
                            Objects.requireNonNull(COMMANDS.get(name), name).get())
                    .setOut(writer)
                    .setErr(writer)
                    .setExecutionExceptionHandler((failure, command, parsed) -> {
                        writer.println(Failures.text(failure));
                        return 1;
                    });
            task = new FutureTask<>(
                    () -> line.execute(words.subList(1, words.size()).toArray(String[]::new)));
            thread = new Thread(task, String.join(" ", words));
            thread.setDaemon(true);
        }

        /** Starts a command with its arguments. */
        static CommandThread start(List<String> words) {
            CommandThread started = new CommandThread(words);
            started.thread.start();
            return started;
        }

        @Override
        public String output() {
            return output.toString();
        }

        @Override
        public int await(Duration limit) throws RdmaException, InterruptedException {
            try {
                return task.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                throw new RdmaException(name + " did not end within " + limit.toSeconds() + " s:\n" + output(), e);
            } catch (ExecutionException e) {
                throw new RdmaException(name + " failed: " + Failures.text(e), e);
            }
        }

        @Override
        public void awaitOutput(String text, Duration limit) throws RdmaException, InterruptedException {
            long deadline = System.nanoTime() + limit.toNanos();
            while (!output().contains(text)) {
                if (task.isDone() || System.nanoTime() > deadline) {
                    throw new RdmaException(name + " did not print '" + text + "':\n" + output());
                }
                TimeUnit.MILLISECONDS.sleep(NAP_MILLIS);
            }
        }

        @Override
        public void close() {
            thread.interrupt();
            try {
                thread.join(FAREWELL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * A program that exchanges data with itself or with its counterpart in the other language. ADDRESS, PORT and GROUP in
     * its command lines stand for the address of the device, a port, and a multicast group.
     *
     * @param isC true for a program of rdma-core
     * @param server the command line of the server
     * @param ready the server's line after which the client may start; empty for none
     * @param ends true if the server ends by itself, with status 0
     * @param client the command line of the client
     */
    record Program(boolean isC, String server, String ready, boolean ends, String client) {
        private static final String TRANSFER = " -c 10 -C 10 -S 1000";
        private static final int UDADDY_PORT = 7174;
        private static final int FIRST_PORT = 20_000;
        private static final int PORTS = 10_000;
        private static final int LAST_BYTE = 254;

        /** The programs in Java. */
        static final List<Program> JAVA = List.of(
                java("ping --server ADDRESS -p PORT", "listening on", false, "ping ADDRESS -p PORT -C 500 -S 64"),
                java("ping --server ADDRESS -p PORT", "listening on", false, "ping ADDRESS -p PORT -C 50 -S 65535"),
                java(
                        "cmatose -b ADDRESS -p PORT" + TRANSFER,
                        "starting",
                        true,
                        "cmatose -s ADDRESS -p PORT" + TRANSFER),
                java("udaddy -b ADDRESS" + TRANSFER, "starting", true, "udaddy -s ADDRESS" + TRANSFER),
                java("mckey -b ADDRESS -m GROUP", "receiving", true, "mckey -b ADDRESS -m GROUP -s -d 0"));

        /** Their counterparts in C, in the same order. */
        static final List<Program> C = List.of(
                c("rping -s -P -a ADDRESS -p PORT -S 64", "", false, "rping -c -V -a ADDRESS -p PORT -C 500 -S 64"),
                c(
                        "rping -s -P -a ADDRESS -p PORT -S 65535",
                        "",
                        false,
                        "rping -c -V -a ADDRESS -p PORT -C 50 -S 65535"),
                c("ucmatose -b ADDRESS -p PORT" + TRANSFER, "", true, "ucmatose -s ADDRESS -p PORT" + TRANSFER),
                c("udaddy -b ADDRESS" + TRANSFER, "", true, "udaddy -s ADDRESS" + TRANSFER),
                c("mckey -b ADDRESS -m GROUP", "joined dgid", true, "mckey -b ADDRESS -m GROUP -s"));

        private static Program java(String server, String ready, boolean ends, String client) {
            return new Program(false, server, ready, ends, client);
        }

        private static Program c(String server, String ready, boolean ends, String client) {
            return new Program(true, server, ready, ends, client);
        }

        /** The values of ADDRESS, PORT and GROUP in an exchange. */
        record Place(String address, int port, String group) {
            /** Chooses a random port and a random group. */
            static Place at(String address) {
                ThreadLocalRandom random = ThreadLocalRandom.current();
                int port = FIRST_PORT + random.nextInt(PORTS);
                return new Place(address, port, "239.255.77." + (1 + random.nextInt(LAST_BYTE)));
            }
        }

        /** The name of the executable, or of the command of this program. */
        String name() {
            return server.substring(0, server.indexOf(' '));
        }

        /** The port on which the server listens; udaddy always uses the same port. */
        int port(Place place) {
            return server.contains("PORT") ? place.port() : UDADDY_PORT;
        }

        /** Starts the server or the client. */
        Peer start(String template, Place place) throws RdmaException {
            String filled = template.replace("ADDRESS", place.address())
                    .replace("PORT", "" + place.port())
                    .replace("GROUP", place.group());
            List<String> words = List.of(filled.split(" ", -1));
            if (!isC) {
                return CommandThread.start(words);
            }
            // the C library would buffer the output until the program ends
            List<String> line = new ArrayList<>(List.of("stdbuf", "-oL"));
            line.addAll(words);
            return PeerProcess.start(line);
        }

        /** True if a program is in the PATH. */
        static boolean isInstalled(String name) {
            String path = System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
            return Arrays.stream(path.split(":", -1)).anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
        }
    }
}
