// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.cli.cmtime.Step;
import io.github.rdma4j.cli.run.GuestRun;
import io.github.rdma4j.cli.run.PeerProcess;
import io.github.rdma4j.kernel.RdmaException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** {@code cmtime(1)} and {@code rdma4j cmtime}, which take the same options and print the same table. */
final class CmtimePrograms {
    private static final int FIRST_PORT = 7400;
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final String ALL_STEPS = "_all";

    /** Step, total ms, max ms, min µs, µs per connection. */
    private static final Pattern ROW =
            Pattern.compile("^([a-z ]+?) *: +[0-9.]+ +[0-9.]+ +[0-9.]+ +([0-9.]+)$", Pattern.MULTILINE);

    private final Bench.Place place;
    private int port = FIRST_PORT;

    CmtimePrograms(Bench.Place place) {
        this.place = place;
    }

    /** The rows of a bench of that name; all steps are only shown. */
    static List<Row> rows(String name, String title, double aim) {
        return List.of(
                new Row(name, title + ", per connection", "cmtime", Row.Unit.MICROSECONDS, aim),
                Row.shown(name + ALL_STEPS, title + ", and its end", "cmtime", Row.Unit.MICROSECONDS));
    }

    /** What a connection takes until it is made. */
    static double setUp(Map<Step, Double> micros) {
        return sum(micros, Step.CONNECT);
    }

    /** The figures of the rows of the bench {@code name} from a table. */
    static Bench.Sample sample(String name, Map<Step, Double> micros) {
        return Bench.Sample.of(Map.of(name, setUp(micros), name + ALL_STEPS, sum(micros, Step.DESTROY)));
    }

    String address() {
        return place.rdma().address().getHostAddress();
    }

    /** A port that no server of this run has used. */
    int nextPort() {
        return port++;
    }

    /** A server in Java; wait until it prints {@code listening}. */
    PeerProcess javaServer(int at) throws RdmaException {
        return PeerProcess.start(java(List.of("cmtime", "-b", address(), "-p", String.valueOf(at))));
    }

    private List<String> java(List<String> arguments) {
        return GuestRun.commandLine(place.guest().jvmOptions(), arguments);
    }

    /** One round in C, both processes fresh. */
    Map<Step, Double> measureC(int connections) throws RdmaException, InterruptedException {
        int at = nextPort();
        try (PeerProcess server = PeerProcess.start(List.of("cmtime", "-b", address(), "-p", String.valueOf(at)))) {
            server.awaitListening(at, LIMIT);
            return measure(client("cmtime", at, connections));
        }
    }

    /** One round in Java, both processes fresh. */
    Map<Step, Double> measureFreshJava(int connections) throws RdmaException, InterruptedException {
        int at = nextPort();
        try (PeerProcess server = javaServer(at)) {
            server.awaitOutput("listening", LIMIT);
            return measure(java(client("cmtime", at, connections)));
        }
    }

    private List<String> client(String program, int at, int connections) {
        List<String> command = new ArrayList<>(List.of(program, "-s", address(), "-b", address()));
        command.addAll(List.of("-p", String.valueOf(at), "-c", String.valueOf(connections)));
        return command;
    }

    private static Map<Step, Double> measure(List<String> command) throws RdmaException, InterruptedException {
        try (PeerProcess client = PeerProcess.start(command)) {
            int status = client.await(LIMIT);
            Map<Step, Double> micros = parse(client.output());
            if (status != 0 || micros.size() != Step.values().length) {
                throw new RdmaException("cmtime ended with status " + status + ":\n" + client.output());
            }
            return micros;
        }
    }

    /** The microseconds per connection of each step in a table of {@code cmtime(1)} or of {@code rdma4j cmtime}. */
    static Map<Step, Double> parse(String output) {
        Map<String, Double> micros = ROW.matcher(output)
                .results()
                .collect(Collectors.toMap(
                        row -> row.group(1), row -> Double.valueOf(row.group(2)), (first, last) -> last));
        Map<Step, Double> steps = new EnumMap<>(Step.class);
        for (Step step : Step.values()) {
            if (micros.containsKey(step.label())) {
                steps.put(step, micros.get(step.label()));
            }
        }
        return steps;
    }

    private static double sum(Map<Step, Double> micros, Step last) {
        return micros.entrySet().stream()
                .filter(each -> each.getKey().compareTo(last) <= 0)
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }
}
