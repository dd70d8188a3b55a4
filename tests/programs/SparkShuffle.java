// SPDX-License-Identifier: Apache-2.0

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/** A job of Spark whose executors exchange most of their data in a shuffle; the result is computed here too, and compared. */
public final class SparkShuffle {
    private static final int EXECUTORS = 2;
    private static final int PARTS = 8;
    private static final int NUMBERS = 20_000;
    private static final int KEYS = 1000;
    private static final int PADDING = 200;

    private SparkShuffle() {}

    public static void main(String[] args) {
        SparkConf conf = new SparkConf().setAppName("shuffle");
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            List<Integer> parts = java.util.stream.IntStream.range(0, PARTS).boxed().toList();
            Map<Integer, Long> sums = spark.parallelize(parts, PARTS)
                    .flatMapToPair(part -> numbers(part).iterator())
                    .groupByKey(PARTS)
                    .mapValues(SparkShuffle::sum)
                    .collectAsMap();
            for (int key = 0; key < KEYS; key++) {
                if (sums.get(key) != expected(key)) {
                    throw new AssertionError("the sum of key " + key + " is " + sums.get(key) + ", not " + expected(key));
                }
            }
            TreeSet<String> executors = new TreeSet<>(spark.parallelize(parts, PARTS)
                    .map(part -> SparkEnv.get().executorId())
                    .collect());
            if (executors.size() != EXECUTORS) {
                throw new AssertionError("only the executors " + executors + " had a part in it");
            }
            System.out.println(PARTS * NUMBERS + " records went through the shuffle of executors " + executors + ", "
                    + sums.size() + " sums are right");
        }
    }

    private static List<Tuple2<Integer, String>> numbers(int part) {
        return java.util.stream.IntStream.range(0, NUMBERS)
                .mapToObj(i -> new Tuple2<>((i * 31 + part) % KEYS, i + " ".repeat(PADDING)))
                .toList();
    }

    private static long sum(Iterable<String> values) {
        long sum = 0;
        for (String value : values) {
            sum += Integer.parseInt(value.trim());
        }
        return sum;
    }

    private static long expected(int key) {
        long sum = 0;
        for (int part = 0; part < PARTS; part++) {
            for (int i = 0; i < NUMBERS; i++) {
                sum += (i * 31 + part) % KEYS == key ? i : 0;
            }
        }
        return sum;
    }
}
