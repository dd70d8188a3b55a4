// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.guest;

import io.github.rdma4j.testbed.host.ProcessBytes;
import io.github.rdma4j.testbed.machine.Devices;
import io.github.rdma4j.testbed.machine.MachineSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A command and the guest that it needs. Arguments, environment and directory are bytes, as in the kernel; methods that
 * take a {@code String} encode it in UTF-8.
 */
public final class GuestCommand {
    /** Enough for forked JVMs of Maven, whose default heap is a quarter of the memory. */
    public static final int DEFAULT_MEMORY_MIB = 3072;

    /** The processors of a guest in QEMU; a guest in User Mode Linux has one. */
    public static final int DEFAULT_CPUS = 2;

    private final Builder built;

    private GuestCommand(Builder built) {
        this.built = built;
    }

    /** A command with the environment and working directory of this process. */
    public static Builder of(String... arguments) {
        Builder builder = new Builder();
        for (String argument : arguments) {
            builder.argument(argument);
        }
        return builder;
    }

    /** The same guest with another command and no timeout. */
    GuestCommand with(String... arguments) {
        Builder other = of(arguments);
        other.environment.putAll(built.environment);
        other.directory = built.directory;
        other.shares.addAll(built.shares);
        other.kernelArguments.addAll(built.kernelArguments);
        return other.memoryMib(built.memoryMib)
                .cpus(built.cpus)
                .devices(built.devices)
                .deviceFiles(built.files)
                .parallel(built.parallel)
                .build();
    }

    List<byte[]> arguments() {
        return built.arguments;
    }

    List<byte[]> environment() {
        return List.copyOf(built.environment.values());
    }

    byte[] directory() {
        return built.directory;
    }

    /** The virtual machine that the command wants. */
    MachineSpec machine() {
        return new MachineSpec(
                built.memoryMib,
                built.cpus,
                built.devices,
                built.files,
                built.shares,
                built.kernelArguments,
                built.parallel);
    }

    Optional<Duration> timeout() {
        return Optional.ofNullable(built.timeout);
    }

    /** Builds a {@link GuestCommand}. */
    public static final class Builder {
        private final List<byte[]> arguments = new ArrayList<>();
        private final Map<String, byte[]> environment = new LinkedHashMap<>();
        private byte[] directory = ProcessBytes.workingDirectory();
        private final List<Path> shares = new ArrayList<>();
        private final List<String> kernelArguments = new ArrayList<>();
        private int memoryMib = DEFAULT_MEMORY_MIB;
        private int cpus = DEFAULT_CPUS;
        private Devices devices = Devices.RXE;
        private Devices.Files files = Devices.Files.NONE;
        private boolean parallel;
        private @Nullable Duration timeout;

        private Builder() {
            ProcessBytes.environment().forEach(this::environmentEntry);
            environment("RDMA4J_GUEST", "1");
        }

        public Builder argument(String argument) {
            return argument(argument.getBytes(StandardCharsets.UTF_8));
        }

        public Builder argument(byte[] argument) {
            if (new String(argument, StandardCharsets.ISO_8859_1).indexOf('\0') >= 0) {
                throw new IllegalArgumentException("an argument cannot hold a NUL byte");
            }
            arguments.add(argument.clone());
            return this;
        }

        /** Sets or replaces a variable. */
        public Builder environment(String name, String value) {
            environmentEntry((name + "=" + value).getBytes(StandardCharsets.UTF_8));
            return this;
        }

        private void environmentEntry(byte[] entry) {
            String text = new String(entry, StandardCharsets.ISO_8859_1);
            int equals = text.indexOf('=', 1);
            if (equals > 0) {
                environment.put(text.substring(0, equals), entry);
            }
        }

        /** The working directory; by default the working directory of this process. */
        public Builder directory(Path path) {
            directory = path.toAbsolutePath().toString().getBytes(StandardCharsets.UTF_8);
            return this;
        }

        /** Makes a directory of this machine writable in the guest, at the same path. May be repeated. */
        public Builder share(Path path) {
            try {
                shares.add(path.toRealPath());
            } catch (IOException e) {
                // The guest reports that the directory cannot be mounted.
                shares.add(path.toAbsolutePath().normalize());
            }
            return this;
        }

        /** Adds a word to the kernel's command line. */
        public Builder kernelArgument(String argument) {
            kernelArguments.add(argument);
            return this;
        }

        public Builder memoryMib(int mebibytes) {
            memoryMib = mebibytes;
            return this;
        }

        public Builder cpus(int count) {
            cpus = count;
            return this;
        }

        public Builder devices(Devices wanted) {
            devices = wanted;
            return this;
        }

        /** The files of devices whose module is not in the kernel's package. */
        public Builder deviceFiles(Devices.Files present) {
            files = present;
            return this;
        }

        /**
         * Whether emulated processors run at the same time, as real processors do. By default they take turns: at the
         * same time, a JVM with its optimizing compiler crashes, and so may any program that changes instructions that
         * another thread executes.
         */
        public Builder parallel(boolean wanted) {
            parallel = wanted;
            return this;
        }

        /** The time after which the command is ended, counted from the start of the command. */
        public Builder timeout(Duration limit) {
            timeout = limit;
            return this;
        }

        public GuestCommand build() {
            if (arguments.isEmpty()) {
                throw new IllegalArgumentException("no command");
            }
            return new GuestCommand(this);
        }
    }
}
