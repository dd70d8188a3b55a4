// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.sa;

import io.github.rdma4j.cli.run.Field;
import io.github.rdma4j.cli.run.Json;
import io.github.rdma4j.cli.run.RdmaCommand;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.SaClient;
import io.github.rdma4j.sm.SaOptions;
import io.github.rdma4j.sm.mad.McMemberRecord.JoinState;
import io.github.rdma4j.verbs.attr.Gid;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** The base of all commands: the port, the time limits, and the output format. */
abstract class SaSession extends RdmaCommand {
    private static final int MAX_ATTEMPTS = 16;

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    private SaCommand parent;

    @Option(
            names = {"-d", "--device"},
            paramLabel = "DEVICE",
            description = "Device, for example mlx5_0 (default: the first InfiniBand device).")
    private @Nullable String device;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "N",
            description = "Port of the device (default: the first active port).")
    private @Nullable Integer port;

    @Option(
            names = {"-t", "--timeout"},
            paramLabel = "MS",
            description =
                    "Time limit of the first attempt in milliseconds, doubled for each further attempt (default: the"
                            + " subnet manager's).")
    private @Nullable Integer timeout;

    @Option(names = "--attempts", paramLabel = "N", description = "Number of attempts, 1 to 16 (${DEFAULT-VALUE}).")
    private int attempts = SaOptions.DEFAULT.attempts();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    /** A 64-bit key in any radix. */
    static final class AnyLong implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return text.startsWith("0x") ? Long.parseUnsignedLong(text.substring(2), 16) : Long.decode(text);
        }
    }

    /** The key that makes the subnet manager show members. */
    static final class SmKey {
        @Option(
                names = {"-k", "--sm-key"},
                paramLabel = "KEY",
                converter = AnyLong.class,
                description =
                        "Key of the subnet manager (the default key of OpenSM is 1). A request with a wrong key gets"
                                + " no answer.")
        long value;
    }

    @Override
    public Integer call() throws RdmaException, InterruptedException {
        check();
        SaOptions options = options();
        try (SaClient client = SaClient.over(parent.ports().open(device, port), options)) {
            run(client);
        }
        return 0;
    }

    /** Checks the options before anything is opened; throws ParameterException. */
    void check() {}

    /** Sends the requests and prints the answers. */
    abstract void run(SaClient client) throws RdmaException, InterruptedException;

    private SaOptions options() {
        requireWithin("--attempts", attempts, 1, MAX_ATTEMPTS);
        requireWithin("--timeout", timeout, 1, Integer.MAX_VALUE);
        SaOptions.Builder options = SaOptions.builder().attempts(attempts);
        if (timeout != null) {
            options.firstTimeout(Duration.ofMillis(timeout));
        }
        return options.build();
    }

    /** Parses the GID of an option or a parameter. */
    final Gid parsed(Supplier<Gid> text) {
        try {
            return text.get();
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    final Gid parsedGid(String text) {
        return parsed(() -> GroupName.gid(text));
    }

    /** Parses the names of states, in order and without duplicates. */
    final List<JoinState> parsedStates(List<String> names) {
        return names.stream().map(this::parsedState).distinct().toList();
    }

    private JoinState parsedState(String name) {
        return Arrays.stream(JoinState.values())
                .filter(candidate -> GroupFields.name(candidate).equals(name))
                .findFirst()
                .orElseThrow(() -> wrong("there is no join state " + name
                        + "; it must be full-member, non-member, send-only-non-member or send-only-full-member"));
    }

    /**
     * Prints answers of one kind: a table with a line for each, or an array of objects. In text, {@code none} stands
     * for no answers.
     */
    final void table(List<List<Field>> rows, String none) {
        if (json) {
            out().println(Json.pretty(rows.stream().map(Field::map).toList()));
        } else if (rows.isEmpty()) {
            out().println(none);
        } else {
            List<List<String>> lines = new ArrayList<>();
            lines.add(rows.get(0).stream().map(Field::title).toList());
            rows.forEach(row -> lines.add(row.stream().map(Field::text).toList()));
            Field.aligned(lines).forEach(out()::println);
        }
    }

    /** Prints an answer: a line for each field, or an object. */
    final void single(List<Field> fields) {
        if (json) {
            out().println(Json.pretty(Field.map(fields)));
        } else {
            Field.aligned(fields.stream()
                            .map(field -> List.of(field.title(), field.text()))
                            .toList())
                    .forEach(out()::println);
        }
    }

    /** Prints an event: a line of text, or an object in one line. */
    final void event(List<Field> fields) {
        out().println(
                        json
                                ? Json.text(Field.map(fields))
                                : String.join(
                                        Field.GAP,
                                        fields.stream().map(Field::text).toList()));
    }

    /** Prints a remark, in text only. */
    final void remark(String text) {
        if (!json) {
            out().println(text);
        }
    }
}
