// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak.fault;

import io.github.rdma4j.lab.soak.node.Ended;
import io.github.rdma4j.lab.soak.node.Limits;
import io.github.rdma4j.lab.soak.node.SoakFailureException;
import io.github.rdma4j.lab.soak.stage.Stage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** A C program that disconnects early, sends too much or too little, or accesses memory that it has no key for. */
final class BadPeer implements Fault {
    private static final Path PROGRAM = Path.of("/tmp/soak-badpeer");

    private final String mode;
    private final String description;
    private final Function<Random, Server> target;
    private final ToIntFunction<Random> count;
    private final ToIntFunction<Random> value;

    BadPeer(
            String mode,
            String description,
            Function<Random, Server> target,
            ToIntFunction<Random> count,
            ToIntFunction<Random> value) {
        this.mode = mode;
        this.description = description;
        this.target = target;
        this.count = count;
        this.value = value;
    }

    @Override
    public String name() {
        return "peer-" + mode;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public Injection plan(Random random) {
        Server server = target.apply(random);
        int times = count.applyAsInt(random);
        int number = value.applyAsInt(random);
        return new Injection(
                String.format(Locale.ROOT, "%s, %d times, value %d", server, times, number),
                stage -> attack(stage, server, times, number));
    }

    /** Where the compiled program is. */
    static String program() {
        return PROGRAM.toString();
    }

    private String attack(Stage stage, Server server, int times, int number)
            throws SoakFailureException, InterruptedException {
        Ended ended = stage.client()
                .run(
                        Limits.CLIENT,
                        PROGRAM.toString(),
                        mode,
                        stage.server().address(),
                        Integer.toString(server.port()),
                        Integer.toString(times),
                        Integer.toString(number));
        if (!ended.isSuccess()) {
            throw new SoakFailureException("the bad peer itself has failed: " + ended.output());
        }
        return ended.output().trim();
    }

    /** Compiles the program, once before the first fault. */
    static void compile(Stage stage) throws SoakFailureException, InterruptedException {
        Path source = Path.of(PROGRAM + ".c");
        try (InputStream resource = BadPeer.class.getResourceAsStream("/io/github/rdma4j/lab/soak/badpeer.c")) {
            if (resource == null) {
                throw new SoakFailureException("badpeer.c is not on the class path");
            }
            Files.write(source, resource.readAllBytes());
        } catch (IOException e) {
            throw new SoakFailureException("cannot write " + source, e);
        }
        stage.client().check("gcc", "-O1", "-o", PROGRAM.toString(), source.toString(), "-lrdmacm", "-libverbs");
    }
}
