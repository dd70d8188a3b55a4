// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.peer;

import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.providers.kernel.CardKernel;
import io.github.rdma4j.providers.kernel.CardSettings;
import io.github.rdma4j.providers.script.CLibrary;
import io.github.rdma4j.providers.script.CProgram;
import io.github.rdma4j.providers.script.Driver;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * An end by the library of a driver, in a process of its own, whose kernel is a {@link CardKernel} of this process. While the
 * other process carries out a command, {@link #command} serves its system calls.
 *
 * <p>The other process ends when this one does, and at the latest after the time limit.
 */
final class LibraryEnd implements End {
    private static final int WORDS = 8;
    private static final long SECONDS = 120;

    private static final int CALL_OPEN = 1;
    private static final int CALL_CLOSE = 2;
    private static final int CALL_IOCTL = 3;
    private static final int CALL_MAP = 4;
    private static final int CALL_UNMAP = 5;
    private static final int CALL_READ = 6;

    private static final int MAKE = 1;
    private static final int CONNECT = 2;
    private static final int FILL = 3;
    private static final int RECEIVE = 4;
    private static final int SEND = 5;
    private static final int SENT = 6;
    private static final int RECEIVED = 7;
    private static final int VERIFY = 8;
    private static final int ARM = 9;
    private static final int EVENT = 10;
    private static final int END = 11;

    private final CProgram program;
    private final Process process;
    private final DataInputStream fromProcess;
    private final OutputStream toProcess;
    private final ByteBuffer message = ByteBuffer.allocate(WORDS * Long.BYTES).order(ByteOrder.nativeOrder());
    private final Set<Integer> descriptors = new TreeSet<>();
    private final CardKernel kernel;
    private final Syscalls syscalls;
    private Place place = new Place(0, 0, 0);
    private Place peer = place;
    private boolean ended;

    private LibraryEnd(CProgram program, CardKernel kernel, Process process) {
        this.program = program;
        this.process = process;
        this.fromProcess = new DataInputStream(process.getInputStream());
        this.toProcess = process.getOutputStream();
        this.kernel = kernel;
        this.syscalls = LinuxKernel.of(kernel.kernel()).syscalls();
        CompletableFuture.delayedExecutor(SECONDS, TimeUnit.SECONDS).execute(process::destroyForcibly);
    }

    /** Builds the program. */
    static CProgram build(Driver driver, Path directory) throws IOException, InterruptedException {
        List<CProgram.Source> sources = new ArrayList<>(List.of(
                new CProgram.Source(LibraryEnd.class, "peer.c"),
                new CProgram.Source(LibraryEnd.class, "remote.c"),
                new CProgram.Source(LibraryEnd.class, "remote.h"),
                new CProgram.Source(CLibrary.class, "node.c"),
                new CProgram.Source(CLibrary.class, "node.h")));
        driver.peerSources().forEach(name -> sources.add(new CProgram.Source(driver.place(), name)));
        return CProgram.build(directory, driver, sources, "-O1");
    }

    /** Starts the program with a kernel of its own, to be used by {@link #kernel()} as well. */
    static LibraryEnd start(CProgram program, CardSettings<?> settings) throws IOException {
        Path file = program.directory().resolve("memory");
        SharedMemory memory = SharedMemory.create(file);
        CardKernel kernel = settings.sharing(memory).start();
        Process process = program.process(file.toString(), Long.toHexString(memory.address()))
                .start();
        LibraryEnd end = new LibraryEnd(program, kernel, process);
        end.awaitAnswer();
        return end;
    }

    CardKernel kernel() {
        return kernel;
    }

    /** Makes the queues; {@code scatters} if the device takes several pieces of memory for a receive or a read. */
    void make(QueuePairType type, boolean shared, boolean scatters) throws IOException {
        command(MAKE, type.code(), shared ? 1 : 0, 0, scatters ? 1 : 0);
        place = new Place(
                (int) message.getLong(Long.BYTES),
                (int) message.getLong(2 * Long.BYTES),
                message.getLong(3 * Long.BYTES));
    }

    @Override
    public Place place() {
        return place;
    }

    @Override
    public void connect(Place to) throws IOException {
        peer = to;
        command(CONNECT, to.qpn());
    }

    @Override
    public void fill(Batch batch) throws IOException {
        batch(FILL, batch);
    }

    @Override
    public void receive(Batch batch) throws IOException {
        batch(RECEIVE, batch);
    }

    @Override
    public void send(Batch batch) throws IOException {
        batch(SEND, batch);
    }

    @Override
    public int sent(Batch batch) throws IOException {
        return batch(SENT, batch);
    }

    @Override
    public int received(Batch batch) throws IOException {
        return batch(RECEIVED, batch);
    }

    @Override
    public int verify(Batch batch) throws IOException {
        return batch(VERIFY, batch);
    }

    @Override
    public void arm() throws IOException {
        command(ARM);
    }

    @Override
    public void takeEvent() throws IOException {
        command(EVENT);
    }

    private int batch(int command, Batch batch) throws IOException {
        command(command, batch.kind().code(), batch.first(), batch.count(), peer.address(), peer.rkey());
        return (int) message.getLong(Long.BYTES);
    }

    // ---- the pipes

    private void command(long... words) throws IOException {
        reply(words);
        awaitAnswer();
    }

    private void reply(long... words) throws IOException {
        for (int i = 0; i < words.length; i++) {
            message.putLong(i * Long.BYTES, words[i]);
        }
        toProcess.write(message.array());
        toProcess.flush();
    }

    /** Serves system calls until the program has carried out its command. */
    private void awaitAnswer() throws IOException {
        next();
        while (word(0) != 0) {
            reply(carryOutAndRemember());
            next();
        }
    }

    private void next() throws IOException {
        try {
            fromProcess.readFully(message.array());
        } catch (EOFException e) {
            throw new IOException("the program has ended: " + program.errors(), e);
        }
    }

    private long word(int index) {
        return message.getLong(index * Long.BYTES);
    }

    private long carryOut(int call) {
        int fd = (int) word(1);
        return switch (call) {
            case CALL_OPEN -> syscalls.open("/dev/infiniband/uverbs0", Syscalls.O_RDWR);
            case CALL_CLOSE -> syscalls.close(fd);
            case CALL_IOCTL -> syscalls.ioctl(fd, word(2), word(3));
            case CALL_MAP ->
                syscalls.mmap(0, word(2), Syscalls.PROT_READ | Syscalls.PROT_WRITE, Syscalls.MAP_SHARED, fd, word(3));
            case CALL_UNMAP -> syscalls.munmap(word(1), word(2));
            case CALL_READ -> syscalls.read(fd, word(2), word(3));
            default -> throw new IllegalStateException("the program makes a call " + call);
        };
    }

    /** What is open after a call and was not before belongs to the other process. */
    private long carryOutAndRemember() {
        Set<Integer> others = new TreeSet<>(kernel.descriptorNumbers());
        others.removeAll(descriptors);
        long result = carryOut((int) word(0));
        descriptors.clear();
        descriptors.addAll(kernel.descriptorNumbers());
        descriptors.removeAll(others);
        return result;
    }

    @Override
    public void close() throws IOException {
        if (!ended) {
            end();
        }
    }

    /** Lets the program destroy everything, and waits for its end. */
    void end() throws IOException {
        try {
            command(END);
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException("the program did not end well: " + program.errors());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the program ended");
        } finally {
            kill();
        }
    }

    /** Ends the process as it is; the kernel destroys what it has left. */
    void kill() {
        ended = true;
        process.destroyForcibly().onExit().join();
        descriptors.forEach(syscalls::close);
        descriptors.clear();
    }
}
