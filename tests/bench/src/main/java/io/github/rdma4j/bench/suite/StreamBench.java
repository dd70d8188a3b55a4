// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.cli.run.GuestRun;
import io.github.rdma4j.cli.run.PeerProcess;
import io.github.rdma4j.kernel.RdmaException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** rstream(1) and {@code rdma4j rstream}, both with blocking calls: a transfer there and back, and many in one direction. */
final class StreamBench implements Bench {
    private static final String NAME = "rsocket";
    private static final String BESIDE = "rstream";
    private static final double TIME_AIM = 1.2;
    private static final double RATE_AIM = 0.9;
    private static final int FIRST_PORT = 8100;
    private static final int WARM_UPS = 3;
    private static final int IDLE = 1000;
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private static final List<Figure> FIGURES = List.of(
            new Figure("rsocket_64", "stream, 64 B there and back", 64, 5000, false),
            new Figure("rsocket_4096", "stream, 4 KiB there and back", 4096, 3000, false),
            new Figure("rsocket_65536", "stream, 64 KiB there and back", 1 << 16, 500, false),
            new Figure("rsocket_stream_65536", "stream of 64 KiB", 1 << 16, 1000, true),
            new Figure("rsocket_stream_1048576", "stream of 1 MiB", 1 << 20, 100, true));

    private final Place place;
    private final PeerProcess server;
    private final PeerProcess client;
    private int port = FIRST_PORT;
    private int runs;

    /**
     * What one run of rstream tells.
     *
     * @param name of the row
     * @param title of the row
     * @param bytes of a transfer
     * @param transfers in each direction
     * @param stream true if the transfers of a direction follow each other, false if the directions take turns
     */
    private record Figure(String name, String title, int bytes, int transfers, boolean stream) {
        Row row() {
            return stream
                    ? new Row(name, title, BESIDE, Row.Unit.MEGABYTES_PER_SECOND, RATE_AIM)
                    : new Row(name, title, BESIDE, Row.Unit.MICROSECONDS, TIME_AIM);
        }

        String options(Place place) {
            int scaled = place.scaled(transfers);
            return "-S " + bytes + " -C " + (stream ? scaled : 1) + " -I " + (stream ? 1 : scaled) + " -T b";
        }

        /** From the microseconds of a transfer in one direction. */
        double value(double micros) {
            return stream ? bytes / micros : 2 * micros;
        }
    }

    private StreamBench(Place place) throws RdmaException {
        this.place = place;
        server = startJava();
        client = startJava();
    }

    /** The benches of streams. */
    static List<BenchPlan> plans(List<Guest> guests) {
        List<Row> rows = FIGURES.stream().map(Figure::row).toList();
        return List.of(
                new BenchPlan(NAME, rows, guests, 1, StreamBench::new),
                new BenchPlan(Idle.NAME, List.of(Idle.ROW), guests, 1, Idle::new));
    }

    private PeerProcess startJava() throws RdmaException {
        return PeerProcess.startTalking(GuestRun.commandLine(
                StreamProgram.class.getName(), place.guest().pollingJvmOptions(), List.of()));
    }

    @Override
    public void prepare() throws RdmaException, InterruptedException {
        for (int i = 0; i < WARM_UPS; i++) {
            Sample unused = measureJava();
        }
    }

    private String arguments(String role, Figure figure) {
        return role + " " + place.rdma().address().getHostAddress() + " -p " + port + " " + figure.options(place);
    }

    @Override
    public Sample measureC() throws RdmaException, InterruptedException {
        Map<String, Double> values = new LinkedHashMap<>();
        for (Figure figure : FIGURES) {
            port++;
            try (PeerProcess listening = start(arguments("-b", figure))) {
                listening.awaitListening(port, LIMIT);
                try (PeerProcess connecting = start(arguments("-s", figure))) {
                    Processes.await(connecting, listening, LIMIT);
                    values.put(figure.name(), figure.value(micros(connecting)));
                }
            }
        }
        return Sample.of(values);
    }

    private static PeerProcess start(String arguments) throws RdmaException {
        List<String> command = new ArrayList<>(List.of("rstream"));
        command.addAll(List.of(arguments.split(" ")));
        return PeerProcess.start(command);
    }

    @Override
    public Sample measureJava() throws RdmaException, InterruptedException {
        Map<String, Double> values = new LinkedHashMap<>();
        for (Figure figure : FIGURES) {
            port++;
            runs++;
            Processes.say(server, arguments("-b", figure));
            server.awaitListening(port, LIMIT);
            Processes.say(client, arguments("-s", figure));
            await(client);
            await(server);
            values.put(figure.name(), figure.value(micros(client)));
        }
        return Sample.of(values);
    }

    private void await(PeerProcess side) throws RdmaException, InterruptedException {
        long start = System.nanoTime();
        while (side.output().split("status 0\n", -1).length <= runs) {
            if (System.nanoTime() - start > LIMIT.toNanos() || side.output().contains("status 1")) {
                throw new RdmaException("rstream in Java did not end well:\n" + side.output());
            }
            Thread.sleep(1);
        }
    }

    /** The last figure of the last line that has figures. */
    private static double micros(PeerProcess side) throws RdmaException {
        List<String> lines =
                side.output().lines().filter(line -> line.startsWith("custom")).toList();
        if (lines.isEmpty()) {
            throw new RdmaException("rstream printed no figures:\n" + side.output());
        }
        String last = lines.get(lines.size() - 1);
        return Double.parseDouble(last.substring(last.lastIndexOf(' ') + 1));
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }

    /** The resident memory of an end of an idle connection, that has carried nothing; nothing in C tells it. */
    private static final class Idle implements Bench {
        private static final String NAME = "rsocket_memory";
        private static final Row ROW = Row.shown(
                "rsocket_rss", "RSS per idle end of a stream, 1,000 connections", "rstream", Row.Unit.KIBIBYTES);

        private final Place place;
        private int port = FIRST_PORT - 1;

        private Idle(Place place) {
            this.place = place;
        }

        @Override
        public boolean hasC() {
            return false;
        }

        @Override
        public Sample measureC() {
            throw new IllegalStateException("there is no program in C");
        }

        @Override
        public Sample measureJava() throws RdmaException, InterruptedException {
            List<String> command = GuestRun.commandLine(
                    StreamProgram.class.getName(),
                    place.guest().jvmOptions(),
                    List.of(
                            "idle",
                            place.rdma().address().getHostAddress(),
                            String.valueOf(port--),
                            String.valueOf(IDLE)));
            try (PeerProcess program = PeerProcess.start(command)) {
                if (program.await(LIMIT) != 0) {
                    throw new RdmaException("the program with idle streams failed:\n" + program.output());
                }
                double grown = ConnectionsProgram.figure(program.output(), "rss " + IDLE)
                        - ConnectionsProgram.figure(program.output(), "rss 0");
                return Sample.of(Map.of(ROW.name(), grown / (2 * IDLE)));
            }
        }

        @Override
        public String remark() {
            return "with the memory that an end begins with; 16 KiB of it are locked";
        }
    }
}
