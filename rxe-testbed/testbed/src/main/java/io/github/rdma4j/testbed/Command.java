// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import io.github.rdma4j.testbed.exec.ExecChannel;
import io.github.rdma4j.testbed.exec.ExecClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A command for a node: a program with its arguments, environment, directory and input. Immutable. No shell interprets
 * the command line; {@code Command.of("sh", "-c", "…")} runs a shell.
 */
public final class Command {
    private final Builder built;

    private Command(Builder built) {
        this.built = built;
    }

    /** A command with this program, which the node finds in the {@code PATH}, and these arguments. */
    public static Command of(String program, String... arguments) {
        return builder(program, arguments).build();
    }

    /** As {@link #of}, for a command with an environment, a directory or an input. */
    public static Builder builder(String program, String... arguments) {
        Builder builder = new Builder().argument(program);
        for (String argument : arguments) {
            builder.argument(argument);
        }
        return builder;
    }

    /** A builder with the values of this command. */
    public Builder toBuilder() {
        return new Builder(built);
    }

    ExecChannel start(ExecClient client) throws IOException {
        List<String> variables = new ArrayList<>();
        built.environment.forEach((name, value) ->
                variables.add(value.map(text -> name + "=" + text).orElse(name)));
        return client.run(built.directory, built.arguments, variables);
    }

    byte[] input() {
        return built.input;
    }

    Optional<Duration> timeout() {
        return built.timeout;
    }

    /** The program and its arguments, separated by blanks. */
    @Override
    public String toString() {
        return String.join(" ", built.arguments);
    }

    /** Builds a {@link Command}. */
    public static final class Builder {
        private final List<String> arguments = new ArrayList<>();
        private final Map<String, Optional<String>> environment = new LinkedHashMap<>();
        private Path directory = Path.of("").toAbsolutePath();
        private byte[] input = new byte[0];
        private Optional<Duration> timeout = Optional.empty();

        private Builder() {}

        private Builder(Builder other) {
            arguments.addAll(other.arguments);
            environment.putAll(other.environment);
            directory = other.directory;
            input = other.input;
            timeout = other.timeout;
        }

        /** Adds an argument, which is encoded in UTF-8. */
        public Builder argument(String argument) {
            if (argument.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("an argument cannot hold a NUL character");
            }
            arguments.add(argument);
            return this;
        }

        /** Sets a variable of the environment. All other variables are variables of this JVM. */
        public Builder environment(String name, String value) {
            environment.put(checked(name), Optional.of(value));
            return this;
        }

        /** Removes a variable of the environment. */
        public Builder withoutEnvironment(String name) {
            environment.put(checked(name), Optional.empty());
            return this;
        }

        private static String checked(String name) {
            if (name.isEmpty() || name.indexOf('=') >= 0 || name.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("the name of a variable cannot be \"" + name + "\"");
            }
            return name;
        }

        /** The working directory on the node; by default the working directory of this JVM. */
        public Builder directory(Path path) {
            directory = path;
            return this;
        }

        /** The bytes that {@link Node#exec} writes to the command's standard input; by default none. */
        public Builder input(byte[] bytes) {
            input = bytes.clone();
            return this;
        }

        /** As {@link #input(byte[])}, with a text in UTF-8. */
        public Builder input(String text) {
            return input(text.getBytes(StandardCharsets.UTF_8));
        }

        /** The time after which {@link Node#exec} kills the command; without a timeout it waits until the node ends. */
        public Builder timeout(Duration limit) {
            if (limit.isNegative() || limit.isZero()) {
                throw new IllegalArgumentException("a timeout is longer than 0, not " + limit);
            }
            timeout = Optional.of(limit);
            return this;
        }

        public Command build() {
            return new Command(new Builder(this));
        }
    }
}
