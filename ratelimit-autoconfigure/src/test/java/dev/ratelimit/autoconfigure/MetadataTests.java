package dev.ratelimit.autoconfigure;

import java.beans.PropertyDescriptor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.ratelimit.core.LocalTokenBucketStore;
import dev.ratelimit.redis.RedisTokenBucketStore;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.BeanUtils;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.BeanWrapperImpl;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.io.UrlResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an IDE shows of the properties: those of the metadata, and those of one bucket,
 * which IDEs read from the fields of the map's value type.
 */
class MetadataTests {

	private static final Pattern CLASS_OR_DESCRIBED_FIELD = Pattern.compile("class (\\w+) \\{"
			+ "|/\\*\\*((?:[^*]|\\*(?!/))*)\\*/\\s+private (?:final )?(?:@Nullable )?([\\w<>, .]+) (\\w+)(?: = [^;]+)?;");

	@ParameterizedTest
	@MethodSource("namesOfProperties")
	void everyPropertyIsDescribedInTheMetadata(String name) throws IOException {
		assertThat(metadata()).containsKey(name);
		assertThat(metadata().get(name).get("description")).asString().isNotBlank();
	}

	@ParameterizedTest
	@MethodSource("namesOfFields")
	void everyPropertyIsDescribedAtItsField(String name) throws IOException {
		assertThat(fields().keySet()).contains(name);
	}

	@ParameterizedTest
	@MethodSource("descriptions")
	void descriptionsAreSentencesInSpringBootsGrammar(Description description) {
		assertThat(description.text()).matches("[A-Z].*\\.")
			.doesNotMatch("(The|A|An|This|Sets|Returns) .*")
			.doesNotContain("{@", "<", "*", "\n");
	}

	@ParameterizedTest
	@MethodSource("descriptions")
	void exactlyTheDescriptionsOfBooleansStartWithWhether(Description description) {
		assertThat(description.text().startsWith("Whether ")).isEqualTo(description.type().matches("(?i).*boolean"));
	}

	@ParameterizedTest
	@MethodSource("descriptions")
	void noDescriptionRepeatsItsDefault(Description description) {
		assertThat(description.text()).doesNotContainIgnoringCase("default");
		if (description.defaultValue() != null) {
			assertThat(description.text()).doesNotContain(description.defaultValue().toString());
		}
	}

	@Test
	void theDefaultsAreThoseOfTheContract() throws IOException {
		assertThat(metadata().get("ratelimit.enabled")).containsEntry("defaultValue", true);
		assertThat(metadata().get("ratelimit.order").get("defaultValue")).hasToString("2147483547");
		assertThat(metadata().get("ratelimit.max-wait")).doesNotContainKey("defaultValue");
		assertThat(metadata().get("ratelimit.http.headers")).containsEntry("defaultValue", "standard");
		assertThat(metadata().get("ratelimit.http.client-ip.ipv6-prefix").get("defaultValue")).hasToString("64");
		assertThat(metadata().get("ratelimit.http.client-ip.trusted-proxies")).doesNotContainKey("defaultValue");
	}

	@ParameterizedTest
	@MethodSource("namesOfProperties")
	void everyDefaultIsThatOfTheProperties(String name) throws IOException {
		BeanWrapper properties = new BeanWrapperImpl(new RateLimitProperties());
		Object value = properties.getPropertyValue(camelCase(name.substring("ratelimit.".length())));
		Object documented = metadata().get(name).get("defaultValue");
		if (value == null || value instanceof Collection<?> || value instanceof Map<?, ?>) {
			assertThat(documented).isNull();
		}
		else {
			assertThat(ApplicationConversionService.getSharedInstance().convert(documented, value.getClass()))
				.isEqualTo(value);
		}
	}

	@Test
	void theNamesOfStoresAreHinted() throws IOException {
		assertThat(json().get("hints")).asInstanceOf(InstanceOfAssertFactories.LIST)
			.singleElement()
			.asString()
			.contains("ratelimit.store", LocalTokenBucketStore.NAME, RedisTokenBucketStore.NAME, "any");
	}

	@Test
	void theBucketsAreAMapWhoseValuesIdesComplete() throws IOException {
		assertThat(metadata().get("ratelimit.buckets")).containsEntry("type",
				"java.util.Map<java.lang.String,%s>".formatted(RateLimitProperties.Bucket.class.getName()));
	}

	private static List<String> namesOfProperties() {
		return namesOfProperties(RateLimitProperties.class, "ratelimit.").toList();
	}

	private static Stream<String> namesOfProperties(Class<?> type, String prefix) {
		return properties(type).flatMap((property) -> {
			String name = prefix + DataObjectPropertyName.toDashedForm(property.getName());
			return isGroup(property) ? namesOfProperties(property.getPropertyType(), name + ".") : Stream.of(name);
		});
	}

	private static List<String> namesOfFields() {
		return Stream
			.concat(Stream.of(RateLimitProperties.class), Arrays.stream(RateLimitProperties.class.getDeclaredClasses()))
			.filter((type) -> !type.isEnum())
			.flatMap((type) -> properties(type).filter((property) -> !isGroup(property))
				.map((property) -> type.getSimpleName() + "."
						+ DataObjectPropertyName.toDashedForm(property.getName())))
			.toList();
	}

	private static Stream<PropertyDescriptor> properties(Class<?> type) {
		return Arrays.stream(BeanUtils.getPropertyDescriptors(type))
			.filter((property) -> property.getPropertyType() != Class.class);
	}

	private static boolean isGroup(PropertyDescriptor property) {
		Class<?> type = property.getPropertyType();
		return type.getDeclaringClass() == RateLimitProperties.class && !type.isEnum();
	}

	private static List<Description> descriptions() throws IOException {
		Stream<Description> ofMetadata = metadata().entrySet()
			.stream()
			.map((entry) -> new Description(entry.getKey(), entry.getValue().get("type").toString(),
					entry.getValue().get("description").toString(), entry.getValue().get("defaultValue")));
		return Stream.concat(ofMetadata, fields().values().stream()).toList();
	}

	private static String camelCase(String name) {
		return Pattern.compile("-(.)").matcher(name).replaceAll((dash) -> dash.group(1).toUpperCase(Locale.ROOT));
	}

	private static Map<String, Object> json() throws IOException {
		String classes = RateLimitProperties.class.getProtectionDomain().getCodeSource().getLocation().toString();
		String json = new UrlResource(classes + "META-INF/spring-configuration-metadata.json")
			.getContentAsString(StandardCharsets.UTF_8);
		return JsonParserFactory.getJsonParser().parseMap(json);
	}

	private static Map<String, Map<String, Object>> metadata() throws IOException {
		Map<String, Map<String, Object>> properties = new LinkedHashMap<>();
		for (Object property : (List<?>) json().get("properties")) {
			@SuppressWarnings("unchecked")
			Map<String, Object> values = (Map<String, Object>) property;
			properties.put((String) values.get("name"), values);
		}
		return properties;
	}

	private static Map<String, Description> fields() throws IOException {
		Map<String, Description> fields = new LinkedHashMap<>();
		String source = Files
			.readString(Path.of("src/main/java", RateLimitProperties.class.getName().replace('.', '/') + ".java"));
		String type = "";
		Matcher matcher = CLASS_OR_DESCRIBED_FIELD.matcher(source);
		while (matcher.find()) {
			if (matcher.group(1) != null) {
				type = matcher.group(1);
				continue;
			}
			String name = type + "." + DataObjectPropertyName.toDashedForm(matcher.group(4));
			String text = matcher.group(2).replaceAll("\\s*\\*\\s*", " ").strip();
			fields.put(name, new Description(name, matcher.group(3), text, null));
		}
		return fields;
	}

	record Description(String name, String type, String text, Object defaultValue) {

	}

}
