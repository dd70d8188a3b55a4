// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.stress.api;

import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.netty.RegisteredByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/** Random arguments: objects of the pools, invalid and extreme values, and nulls. For one thread. */
final class Values {
    private static final int[] INTS = {
        0, 1, 2, 3, 4, 7, 8, 16, 64, 255, 256, 4096, 65_535, -1, Integer.MIN_VALUE, Integer.MAX_VALUE
    };
    private static final long[] LONGS = {0, 1, 8, 64, 4096, 1L << 32, -1, Long.MIN_VALUE, Long.MAX_VALUE};
    private static final Duration[] DURATIONS = {
        Duration.ZERO,
        Duration.ofNanos(1),
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofSeconds(-1),
        Duration.ofSeconds(Long.MAX_VALUE, 999_999_999),
        Duration.ofSeconds(Long.MIN_VALUE)
    };

    /** Of a hundred references so many are null. */
    private static final int NULLS = 4;

    private static final int DEPTH = 4;

    private static final ThreadFactory DAEMONS = task -> {
        Thread thread = new Thread(task, "of-the-stress");
        thread.setDaemon(true);
        return thread;
    };
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(DAEMONS);

    private final Random random;
    private final Bed bed;
    private final Pool shared;

    /** The objects that only one thread may use at a time. */
    private final Pool own;

    private boolean hasNull;
    private long largest;

    Values(Random random, Bed bed, Pool shared, Pool own) {
        this.random = random;
        this.bed = bed;
        this.shared = shared;
        this.own = own;
    }

    /** An object to call a method of; null when there is none. */
    @Nullable
    Object receiver(Class<?> type) {
        Object found = own.any(type, random);
        return found != null ? found : shared.any(type, random);
    }

    Arguments arguments(Executable method) {
        hasNull = false;
        largest = 0;
        Parameter[] parameters = method.getParameters();
        @Nullable Object[] values = new Object[parameters.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(parameters[i].getParameterizedType(), DEPTH);
        }
        return new Arguments(values, hasNull, largest);
    }

    private @Nullable Object nothing() {
        hasNull = true;
        return null;
    }

    private @Nullable Object value(Type type, int depth) {
        Class<?> raw = raw(type);
        if (raw.isPrimitive()) {
            return primitive(raw);
        }
        if (depth == 0 || random.nextInt(100) < NULLS) {
            return nothing();
        }
        if (raw.isArray()) {
            return array(raw.getComponentType(), depth);
        }
        if (raw.isEnum()) {
            Object[] constants = raw.getEnumConstants();
            return constants[random.nextInt(constants.length)];
        }
        Object known = ofPlatform(raw, type, depth);
        if (known != null) {
            return known;
        }
        Object pooled = receiver(raw);
        if (raw.isInterface()
                && (pooled == null || random.nextInt(4) == 0)
                && raw != bed.kernel().getClass()) {
            return raw.isInstance(bed.kernel()) ? bed.kernel() : callback(raw);
        }
        return pooled != null && random.nextInt(10) > 0 ? pooled : made(raw, pooled, depth);
    }

    private static Class<?> raw(Type type) {
        if (type instanceof Class<?> known) {
            return known;
        }
        if (type instanceof ParameterizedType generic) {
            return (Class<?>) generic.getRawType();
        }
        return Object.class;
    }

    private Object primitive(Class<?> type) {
        if (type == boolean.class) {
            return random.nextBoolean();
        }
        if (type == long.class) {
            return number(random.nextInt(3) > 0 ? random.nextInt(100) : LONGS[random.nextInt(LONGS.length)]);
        }
        int number = (int) number(random.nextInt(3) > 0 ? random.nextInt(70) : INTS[random.nextInt(INTS.length)]);
        if (type == int.class) {
            return number;
        }
        return type == byte.class
                ? (Object) (byte) number
                : type == short.class ? (Object) (short) number : (char) number;
    }

    private long number(long value) {
        largest = Math.max(largest, value);
        return value;
    }

    private Object array(Class<?> component, int depth) {
        int length = random.nextInt(5);
        Object array = Array.newInstance(component, length);
        for (int i = 0; i < length; i++) {
            Array.set(array, i, value(component, depth - 1));
        }
        return array;
    }

    /** A value of the JDK's or Netty's; null for another type. */
    private @Nullable Object ofPlatform(Class<?> raw, Type type, int depth) {
        if (raw == String.class) {
            return pick("", "x", "10.77.0.1", bed.device(), "no\0name", "7471", "é".repeat(300));
        } else if (raw == Duration.class) {
            return DURATIONS[random.nextInt(DURATIONS.length)];
        } else if (raw == Object.class || raw == AutoCloseable.class) {
            return (AutoCloseable) () -> {};
        } else if (raw.isAssignableFrom(InetSocketAddress.class)) {
            return pick(
                    bed.address(),
                    bed.address(),
                    new InetSocketAddress(0),
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 7471),
                    InetSocketAddress.createUnresolved("nowhere", 1));
        } else if (raw == InetAddress.class) {
            return bed.address().getAddress();
        } else if (raw == ByteBuffer.class) {
            return buffer();
        } else if (raw.getName().equals("java.lang.foreign.MemorySegment")) {
            return segment(raw);
        } else if (raw == ByteBuf.class) {
            return nettyBuffer();
        } else if (raw == Path.class) {
            return Path.of(pick("/dev/null", "/nowhere/at/all", ""));
        } else if (raw == Throwable.class) {
            return new RdmaException("of the stress");
        } else if (raw == ThreadFactory.class) {
            return DAEMONS;
        } else if (raw == Executor.class) {
            return pick((Executor) THREADS, task -> {
                throw new RejectedExecutionException("of the stress");
            });
        } else if (raw == CompletableFuture.class) {
            return random.nextBoolean() ? CompletableFuture.completedFuture("x") : new CompletableFuture<>();
        }
        return container(raw, type, depth);
    }

    private @Nullable Object container(Class<?> raw, Type type, int depth) {
        Type[] of = type instanceof ParameterizedType generic
                ? generic.getActualTypeArguments()
                : new Type[] {Object.class, Object.class};
        if (raw == Optional.class) {
            return Optional.ofNullable(random.nextBoolean() ? value(of[0], depth - 1) : null);
        } else if (raw == Map.class) {
            Map<@Nullable Object, @Nullable Object> map = new HashMap<>();
            map.put(value(of[0], depth - 1), value(of[1], depth - 1));
            return map;
        } else if (Iterable.class.isAssignableFrom(raw) && raw.getName().startsWith("java.util")) {
            List<@Nullable Object> elements = new ArrayList<>();
            for (int i = random.nextInt(5); i > 0; i--) {
                elements.add(value(of[0], depth - 1));
            }
            return raw.isInstance(elements) ? elements : new HashSet<>(elements);
        }
        return null;
    }

    @SafeVarargs
    private <T> T pick(T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private ByteBuffer buffer() {
        return switch (random.nextInt(6)) {
            case 0 -> ByteBuffer.allocate(64);
            case 1 -> ByteBuffer.allocateDirect(64).asReadOnlyBuffer();
            case 2 -> ByteBuffer.allocateDirect(128).position(32).limit(96).slice();
            case 3 -> ByteBuffer.allocateDirect(0);
            default -> ByteBuffer.allocateDirect(4096);
        };
    }

    /** Released once by the pool that takes it, or here already. */
    private ByteBuf nettyBuffer() {
        if (receiver(RegisteredByteBufAllocator.class) instanceof RegisteredByteBufAllocator alloc
                && random.nextBoolean()) {
            try {
                return kept(alloc.directBuffer(64).writeZero(32));
            } catch (RuntimeException closed) {
                return Unpooled.EMPTY_BUFFER;
            }
        }
        return switch (random.nextInt(5)) {
            case 0 -> Unpooled.buffer(64).writeZero(64);
            case 1 -> kept(Unpooled.directBuffer(64));
            case 2 -> kept(PooledByteBufAllocator.DEFAULT.directBuffer(64, 64)).asReadOnly();
            case 3 -> {
                ByteBuf released = Unpooled.directBuffer(64, 64);
                released.release();
                yield released;
            }
            default -> kept(PooledByteBufAllocator.DEFAULT.directBuffer(64, 64).writeZero(64));
        };
    }

    private ByteBuf kept(ByteBuf buffer) {
        Object old = own.put(new Releasing(buffer), random);
        if (old instanceof Releasing releasing) {
            releasing.close();
        }
        return buffer;
    }

    /** The stress's own count of a buffer. */
    record Releasing(ByteBuf buffer) implements AutoCloseable {
        @Override
        public void close() {
            buffer.release();
        }
    }

    /** A class that this one cannot name, because JDK 17 lacks it. */
    private Object segment(Class<?> type) {
        try {
            return type.getMethod("ofBuffer", Buffer.class).invoke(null, buffer());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a segment of a buffer cannot be made", e);
        }
    }

    /** Something that the library calls: it returns values of any kind but null, or throws. */
    private Object callback(Class<?> type) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, given) -> {
            return switch (method.getName()) {
                case "equals" -> proxy == given[0];
                case "hashCode" -> System.identityHashCode(proxy);
                case "toString" -> type.getSimpleName() + " of the stress";
                default -> answer(method.getReturnType());
            };
        });
    }

    /** By whatever thread calls back, so it draws nothing from the random numbers of this one. */
    private @Nullable Object answer(Class<?> type) {
        Random other = new Random(System.nanoTime());
        if (type == void.class) {
            if (other.nextInt(4) == 0) {
                throw new Allowed.ScriptedFailure();
            }
            return null;
        }
        if (type == boolean.class) {
            return other.nextBoolean();
        }
        Object found = type.isPrimitive() ? (Object) 0 : shared.any(type, other);
        if (found == null) {
            throw new Allowed.ScriptedFailure();
        }
        return found;
    }

    /** A new value of a type that has a public constructor, or {@code pooled}. */
    private @Nullable Object made(Class<?> type, @Nullable Object pooled, int depth) {
        if (type == Deadline.class) {
            return Deadline.after(Duration.ofMillis(random.nextInt(5)));
        } else if (type == Errno.class) {
            return new Errno(random.nextInt(140));
        }
        Constructor<?>[] constructors = type.getConstructors();
        if (pooled != null || constructors.length == 0) {
            return pooled != null ? pooled : nothing();
        }
        Constructor<?> chosen = constructors[random.nextInt(constructors.length)];
        @Nullable Object[] values = new Object[chosen.getParameterCount()];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(chosen.getGenericParameterTypes()[i], depth - 1);
        }
        try {
            return chosen.newInstance(values);
        } catch (ReflectiveOperationException | IllegalArgumentException refused) {
            return nothing();
        }
    }

    /**
     * The arguments of one call.
     *
     * @param values the arguments
     * @param hasNull whether an argument, or an element of one, is null
     * @param largest the largest number among them
     */
    @SuppressWarnings("ArrayRecordComponent") // for Method.invoke
    record Arguments(@Nullable Object[] values, boolean hasNull, long largest) {}
}
