// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.github.rdma4j.research.trace.Entry.Lane;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.xml.sax.InputSource;

class ViewsTest {
    @SuppressWarnings("UnusedVariable") // the source of parameters
    private static final List<String> SAMPLES = Samples.NAMES;

    private static final Entry NASTY = new Entry(
            0,
            Entry.Kind.PROGRAM,
            0,
            0,
            Lane.CLIENT,
            Lane.CLIENT,
            "sh -c '</script><img src=x>' & \"",
            "",
            "",
            List.of(),
            Map.of("a", "</script>"));

    @ParameterizedTest
    @FieldSource("SAMPLES")
    void textFitsIntoALine(String sample) throws Exception {
        assertThat(TextView.of(Samples.entries(sample)).lines())
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(TextView.WIDTH));
    }

    @ParameterizedTest
    @FieldSource("SAMPLES")
    void thePictureIsXmlWithARowForEachEntry(String sample) throws Exception {
        List<Entry> entries = Samples.entries(sample);
        String svg = SvgView.of(entries);
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
        assertThat(svg.split("class=\"row ", -1)).hasSize(entries.size() + 1);
    }

    @Test
    void jsonHasAnObjectForEachEntry() throws Exception {
        List<Entry> entries = Samples.entries("normal");
        int objects = 0;
        try (JsonParser json = new JsonFactory().createParser(Views.json(entries))) {
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                objects += token == JsonToken.FIELD_NAME && json.currentName().equals("nanoseconds") ? 1 : 0;
            }
        }
        assertThat(objects).isEqualTo(entries.size());
    }

    @Test
    void thePageNeedsNothingElse() throws Exception {
        String page = Views.page("title", Samples.entries("normal"));
        assertThat(page.replace("http://www.w3.org/2000/svg", ""))
                .doesNotContain("http:")
                .doesNotContain("https:")
                .doesNotContain("src=")
                .doesNotContain("@import")
                .doesNotContain("@SVG@")
                .contains("prefers-color-scheme: dark");
    }

    @Test
    void whatProgramsAreCalledCannotBreakThePage() throws Exception {
        String page = Views.page(NASTY.name(), List.of(NASTY));
        assertThat(page).doesNotContain("</script><img").contains("&lt;/script&gt;&lt;img src=x&gt;' &amp; &quot;");
        assertThat(page.split("</script>", -1)).hasSize(3);
    }
}
